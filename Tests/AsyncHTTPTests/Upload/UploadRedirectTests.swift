import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UploadRedirectTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/to", .respond())
    }

    private func send(_ body: HTTPRequest.Body, by status: Int) async throws -> HTTPOrigin.Request? {
        origin.on("/from", .redirect(to: "/to", status: status))
        var request = HTTPRequest(method: "POST", url: origin.url("/from"), body: body)
        request.headerFields = ["Content-Type": "text/plain", "X-Kept": "1"]
        _ = try await client.response(for: request)
        return origin.requests("/to").last
    }

    @Test(arguments: [307, 308])
    func bytesAreSentAgain(status: Int) async throws {
        let seen = try await send("body", by: status)
        #expect(seen?.method == "POST")
        #expect(seen?.body == Array("body".utf8))
        #expect(seen?.header("Content-Type") == "text/plain")
    }

    @Test(arguments: [301, 302, 303])
    func aBodyIsLeftBehindTogetherWithItsFields(status: Int) async throws {
        let seen = try await send("body", by: status)
        #expect(seen?.method == "GET")
        #expect(seen?.bodySize == 0)
        for name in ["Content-Type", "Content-Length"] { #expect(seen?.header(name) == nil) }
        #expect(seen?.header("X-Kept") == "1")
    }

    @Test func aFileIsSentAgain() async throws {
        let folder = Folder()
        let bytes = [UInt8](repeating: 3, count: 300_000)
        folder.write(bytes, to: "file")
        #expect(try await send(.file(folder.path("file")), by: 307)?.body == bytes)
    }

    @Test func aStreamCanNotBeSentAgain() async throws {
        let stream = AsyncStream<[UInt8]> { $0.finish() }
        let error = HTTPClient.Error.badRedirect(
            "it wants the body once more, which is a stream and can be sent once"
        )
        await #expect(throws: error) { try await send(.stream(stream), by: 307) }
        #expect(origin.requestCount("/to") == 0)
    }

    @Test func aStreamThatIsLeftBehindIsNoError() async throws {
        let stream = AsyncStream<[UInt8]> { $0.finish() }
        #expect(try await send(.stream(stream), by: 303)?.method == "GET")
    }
}
