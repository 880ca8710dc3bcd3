import AsyncBridging
import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BlockingTests {
    private let origin: HTTPOrigin

    init() throws {
        origin = try HTTPOrigin()
    }

    /// Runs synchronous code on a plain thread.
    private func onAThread<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) async throws
        -> Success
    {
        let outcome = OneShot<Success>()
        #expect(SystemThread.start(name: "legacy") { outcome.resolve(Result { try body() }) })
        return try await outcome.value()
    }

    @Test func answersComeToAPlainThread() async throws {
        origin.on("/a", .respond(status: 201, body: [1]))
        let url = origin.url("/a")
        let (whole, body) = try await onAThread {
            let client = HTTPClient()
            let whole = try client.blocking.data(for: HTTPRequest(url: url))
            let body = try client.blocking.data(for: url)
            try client.blocking.close()
            return (whole, body)
        }
        #expect(whole == [1])
        #expect(body == [1])
    }

    @Test func aWholeResponseComesToAPlainThread() async throws {
        origin.on("/a", .respond(status: 404, headers: [("X-A", "1")], body: [1, 2]))
        let url = origin.url("/a")
        let response = try await onAThread {
            try HTTPClient.shared.blocking.response(for: HTTPRequest(method: "POST", url: url, body: "x"))
        }
        #expect(response.status == 404)
        #expect(response.headerFields["X-A"] == "1")
        #expect(response.body.bytes == [1, 2])
        #expect(origin.requests("/a").first?.body == Array("x".utf8))
    }

    @Test func errorsComeToAPlainThread() async throws {
        let silent = try SilentPort.refusing()
        let error = try await onAThread {
            do throws(SyncBridge.Error<HTTPClient.Error>) {
                _ = try HTTPClient.shared.blocking.data(for: silent.url)
                return HTTPClient.Error?.none
            } catch .operation(let error) {
                return error
            } catch {
                return nil
            }
        }
        #expect(error == .refused(host: "127.0.0.1:\(silent.port)"))
    }
}
