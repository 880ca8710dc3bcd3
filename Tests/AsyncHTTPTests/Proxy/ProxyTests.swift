import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    private let proxy: HTTPOrigin

    init() throws {
        proxy = try HTTPOrigin()
    }

    private func client(_ url: String? = nil, refusesPrivate: Bool = false, authority: String? = nil)
        -> HTTPClient
    {
        var configuration = HTTPClient.Configuration()
        configuration.proxy = .url(url ?? "http://me:secret@127.0.0.1:\(proxy.port)")
        configuration.allowsPrivateAddresses = !refusesPrivate
        configuration.certificateAuthorityFile = authority
        return HTTPClient(configuration: configuration)
    }

    @Test func plainRequestsGoThroughWithTheWholeURL() async throws {
        proxy.on("/a", .respond(body: [1]))
        #expect(try await client().data(for: "http://far.example/a?b") == [1])
        let seen = proxy.requests("/a").first
        #expect(seen?.target == "http://far.example/a?b")
        #expect(seen?.header("Host") == "far.example")
        #expect(seen?.header("Proxy-Authorization") == "Basic bWU6c2VjcmV0")
    }

    @Test(.enabled(if: TLSServer.isAvailable, "openssl is not installed."))
    func secureRequestsGoThroughATunnel() async throws {
        let server = try TLSServer()
        let port = UInt16(server.port)
        proxy.on("127.0.0.1:\(port)", .tunnel(to: port))
        let client = client(authority: server.certificate)
        let response = try await client.response(for: HTTPRequest(url: "https://127.0.0.1:\(port)/"))
        #expect(response.status == 200)
        #expect(response.headerFields["X-Proxy"] == nil)
        #expect(proxy.requests("127.0.0.1:\(port)").first?.method == "CONNECT")
    }

    @Test func aProxyThatRefusesIsNamedWithoutItsUserInfo() async throws {
        proxy.on("far.example:443", .respond(status: 407))
        let host = "127.0.0.1:\(proxy.port)"
        let refused = HTTPClient.Error.proxy(host: host, reason: "it answered CONNECT with status 407")
        await #expect(throws: refused) { try await client().data(for: "https://far.example/") }
    }

    @Test func aProxyThatIsNotThereIsNamed() async throws {
        let silent = try SilentPort.refusing()
        let gone = await #expect(throws: HTTPClient.Error.self) {
            try await client("http://me:secret@127.0.0.1:\(silent.port)").data(for: "http://far.example/")
        }
        guard case .proxy(let host, _) = gone else {
            Issue.record("It gave \(String(describing: gone)).")
            return
        }
        #expect(host == "127.0.0.1:\(silent.port)")
        #expect(gone?.description.contains("secret") == false)
    }

    @Test func whatIsNoProxyIsSaid() async throws {
        for url in ["gopher://127.0.0.1", "http://no such host"] {
            let error = await #expect(throws: HTTPClient.Error.self) {
                try await client(url).data(for: "http://far.example/")
            }
            guard case .proxy = error else {
                Issue.record("\(url) gave \(String(describing: error)).")
                continue
            }
        }
    }

    @Test func aProxyAndTheRefusalOfPrivateAddressesDoNotGoTogether() async throws {
        let error = HTTPClient.Error.invalidRequest(
            "a proxy resolves names itself, so private addresses can't be refused"
        )
        await #expect(throws: error) {
            try await client(refusesPrivate: true).data(for: "http://far.example/")
        }
        #expect(proxy.log.acceptedConnections == 0)
    }
}
