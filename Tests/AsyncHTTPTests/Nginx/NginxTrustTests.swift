import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxServer.isAvailable, "\(NginxServer.requirement)"))
struct NginxTrustTests {
    private let server: NginxServer

    init() throws {
        server = try NginxServer.shared.get()
        try server.put([1, 2, 3], at: "trust.bin")
    }

    /// What was said of a TLS connection that could not be made.
    private func refusal(of url: String, by client: HTTPClient) async -> String? {
        let error = await #expect(throws: HTTPClient.Error.self) { try await client.data(for: url) }
        guard case .tls(let host, let reason) = error else {
            Issue.record("Not a TLS error: \(String(describing: error)).")
            return nil
        }
        #expect(url.contains(host))
        return reason
    }

    @Test(arguments: [NginxServer.Entrance.https, .http2], ["127.0.0.1", "localhost"])
    func theServerIsTrustedByItsAuthority(entrance: NginxServer.Entrance, host: String) async throws {
        let url = server.url("/trust.bin", via: entrance, host: host)
        #expect(try await server.client().data(for: url) == [1, 2, 3])
    }

    @Test func theSystemsAuthoritiesDoNotVouchForIt() async throws {
        let reason = try #require(await refusal(of: server.url("/trust.bin"), by: HTTPClient()))
        #expect(reason.contains("certificate"))
    }

    @Test func anotherServersAuthorityDoesNotVouchForIt() async throws {
        let other = try NginxServer()
        let reason = try #require(await refusal(of: server.url("/trust.bin"), by: other.client()))
        #expect(reason.contains("certificate"))
    }

    @Test func aNameThatIsNotInTheCertificateIsRefused() async throws {
        let url = server.url("/trust.bin", host: "127.0.0.2")
        let reason = try #require(await refusal(of: url, by: server.client()))
        #expect(reason.contains("127.0.0.2"))
    }

    @Test func redirectFromPlainToSecureIsFollowed() async throws {
        try server.put([7], at: "index.html")
        let request = HTTPRequest(url: server.url("/to-https/", via: .http))
        let response = try await server.client().response(for: request)
        #expect(response.url == server.url("/"))
        #expect(try await response.body.collect() == [7])
    }

    @Test(arguments: [NginxServer.Entrance.https, .http2])
    func redirectFromSecureToPlainIsRefused(entrance: NginxServer.Entrance) async {
        let url = server.url("/to-http/", via: entrance)
        let error = await #expect(throws: HTTPClient.Error.self) {
            try await server.client().data(for: url)
        }
        guard case .badRedirect = error else { return #expect(error == nil) }
    }
}
