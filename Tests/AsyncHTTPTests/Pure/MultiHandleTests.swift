import CCurl
import Support
import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct MultiHandleTests {
    private final class RefusingPoller: SocketPoller {
        func watch(_ socket: Int32, for readiness: Readiness) -> Bool { readiness.isEmpty }
        func wait(milliseconds: Int, _ body: (Int32, Readiness) -> Void) {}
    }

    /// Else it would wait for a socket that nobody looks at, until its deadline.
    @Test func aTransferWhoseSocketIsNotWatchedIsTold() throws {
        let origin = try HTTPOrigin()
        let multi = try #require(MultiHandle(RefusingPoller()))
        let easy = try #require(curl_easy_init())
        defer { curl_easy_cleanup(easy) }
        asynckit_curl_set_text(easy, CURLOPT_URL, origin.url("/"))
        #expect(multi.add(easy))
        var unwatched: UnsafeMutableRawPointer?
        // The connection is begun at once; a few turns more are no harm, and end where nothing is told.
        for _ in 0..<1000 where unwatched == nil {
            multi.runTimer(at: .now)
            unwatched = multi.nextUnwatched()
        }
        #expect(unwatched == easy)
        multi.remove(easy)
    }
}
