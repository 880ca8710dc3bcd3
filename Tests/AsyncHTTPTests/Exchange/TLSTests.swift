import AsyncHTTP
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: TLSServer.isAvailable, "needs the openssl command"))
struct TLSTests {
    private let server: TLSServer

    init() throws {
        server = try TLSServer()
    }

    @Test func anUnknownCertificateIsRefused() async throws {
        let error = await #expect(throws: HTTPClient.Error.self) {
            try await HTTPClient().data(for: "https://127.0.0.1:\(server.port)/")
        }
        guard case .tls(_, let reason) = error else {
            Issue.record("Not a TLS error: \(String(describing: error)).")
            return
        }
        #expect(reason.contains("certificate"))
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        let error = await #expect(throws: HTTPClient.Error.self) {
            try await client().data(for: "https://localhost:\(server.port)/")
        }
        guard case .tls = error else {
            Issue.record("Not a TLS error: \(String(describing: error)).")
            return
        }
    }

    @Test func theCertificateOfTheConfigurationIsTrusted() async throws {
        let response = try await client().response(for: HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
        #expect(response.status == 200)
        #expect(try await !response.body.collect().isEmpty)
    }

    private func client() -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorityFile = server.certificate
        return HTTPClient(configuration: configuration)
    }
}
