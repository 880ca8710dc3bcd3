import AsyncHTTP
import Support
import Testing

/// A handle of libcurl is told only what differs from its last transfer, so nothing of that one may be left.
@Suite(.timeLimit(.minutes(1)))
struct TermsTests {
    private let origin: HTTPOrigin
    private let client: HTTPClient

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/a", .respond())
        var configuration = HTTPClient.Configuration()
        // One handle for all.
        configuration.maximumConnections = 1
        client = HTTPClient(configuration: configuration)
    }

    private func kinds() -> [HTTPRequest] {
        let plain = HTTPRequest(url: origin.url("/a"))
        var (other, head, post, named, interface) = (plain, plain, plain, plain, plain)
        other.headerFields = ["X-Kind": "other", "Accept-Encoding": "identity"]
        head.method = "HEAD"
        (post.method, post.body) = ("POST", [1, 2, 3])
        named.url = named.url.replacing("http://", with: "http://me:pw@", maxReplacements: 1)
        interface.interface = "lo"
        return [plain, other, head, post, named, interface]
    }

    private func send(_ request: HTTPRequest) async throws -> HTTPOrigin.Request? {
        let status = try await client.response(for: request).status
        #expect(status == 200)
        return origin.log.requests.last
    }

    /// Every kind after every kind, itself included.
    @Test func everyRequestIsSentAsIfItWereTheFirst() async throws {
        for first in kinds() {
            for second in kinds() {
                _ = try await send(first)
                let seen = try #require(try await send(second))
                #expect(seen.method == second.method)
                #expect(seen.header("X-Kind") == second.headerFields["X-Kind"])
                #expect(
                    seen.header("Accept-Encoding") == second.headerFields["Accept-Encoding"] ?? "gzip, br"
                )
                #expect(seen.bodySize == (second.method == "POST" ? 3 : 0))
                #expect((seen.header("Authorization") != nil) == second.url.contains("@"))
            }
        }
    }
}
