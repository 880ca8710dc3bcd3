import AsyncHTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ScriptedTransportTests {
    @Test func answersComeFromTheScript() async throws {
        let transport: any HTTPTransport = {
            let transport = ScriptedTransport()
            transport.on("http://a/", status: 201, headerFields: ["X": "y"], body: [1], remoteAddress: "::1")
            transport.on("http://b/") { request throws(HTTPClient.Error) in
                throw .unreachable(host: request.method)
            }
            return transport
        }()
        let response = try await transport.response(for: HTTPRequest(url: "http://a/"))
        #expect(response.status == 201)
        #expect(response.headerFields == ["X": "y"])
        #expect(response.url == "http://a/")
        #expect(response.remoteAddress == "::1")
        for _ in 0..<2 { #expect(try await response.body.collect() == [1]) }
        await #expect(throws: HTTPClient.Error.unreachable(host: "PUT")) {
            try await transport.response(for: HTTPRequest(method: "PUT", url: "http://b/"))
        }
    }

    @Test func requestsAreKeptAndUnknownURLsRefused() async throws {
        let transport = ScriptedTransport()
        await #expect(throws: HTTPClient.Error.refused(host: "http://c/…")) {
            try await transport.response(for: HTTPRequest(url: "http://c/?secret"))
        }
        #expect(transport.requests.map(\.url) == ["http://c/?secret"])
    }

    @Test func aCancelledCallerIsToldSo() async throws {
        let transport = ScriptedTransport()
        transport.on("http://a/") { request in
            withUnsafeCurrentTask { $0?.cancel() }
            return HTTPResponse(status: 200, url: request.url)
        }
        let task = Task { try await transport.response(for: HTTPRequest(url: "http://a/")) }
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
    }
}
