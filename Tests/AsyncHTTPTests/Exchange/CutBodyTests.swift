import AsyncHTTP
import Support
import Testing

/// Requests that want the beginning of a body only.
@Suite(.timeLimit(.minutes(1)))
struct CutBodyTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
    }

    private func start(of path: String, limit: Int) async throws -> HTTPResponse {
        var request = HTTPRequest(url: origin.url(path), maximumBodySize: limit)
        request.cutsBody = true
        return try await client.response(for: request)
    }

    @Test func aLargerBodyEndsAtTheLimitAndItsStatusIsKept() async throws {
        origin.on("/known", .respond(status: 500, body: [1, 2, 3, 4]))
        origin.on("/endless", .endlessBody)
        let known = try await start(of: "/known", limit: 3)
        #expect(known.status == 500)
        #expect(known.body == [1, 2, 3])
        #expect(try await start(of: "/known", limit: 0).body == [])
        #expect(try await start(of: "/endless", limit: 100_000).body.count == 100_000)
        await origin.until { $0.abandoned["/endless"] == 1 }
    }

    @Test func aSmallerBodyIsWholeOrAnError() async throws {
        origin.on("/whole", .respond(body: [1, 2, 3]))
        origin.on("/short", .shortBody(length: 100, sent: [1]))
        #expect(try await start(of: "/whole", limit: 3).body == [1, 2, 3])
        await #expect(throws: HTTPClient.Error.truncatedBody) { try await start(of: "/short", limit: 3) }
    }

    @Test func theNextRequestHasTheLimitAsAnError() async throws {
        origin.on("/a", .respond(body: [1, 2, 3]))
        #expect(try await start(of: "/a", limit: 1).body == [1])
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 1)) {
            try await client.response(for: HTTPRequest(url: origin.url("/a"), maximumBodySize: 1))
        }
    }
}
