import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct InterfaceTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/", .respond(body: [1]))
    }

    private func request(through interface: String? = nil) -> HTTPRequest {
        HTTPRequest(url: origin.url("/"), interface: interface)
    }

    @Test func aRequestGoesThroughItsInterface() async throws {
        #expect(try await client.data(for: request(through: "lo")) == [1])
    }

    @Test func aConnectionOfAnInterfaceIsLeftToNobody() async throws {
        for interface in ["lo", nil, "lo", nil] {
            _ = try await client.response(for: request(through: interface))
        }
        // One for each request with an interface, and one that those without share.
        #expect(origin.log.acceptedConnections == 3)
    }

    @Test func aMissingInterfaceIsNamedAndForgotten() async throws {
        for host in ["127.0.0.1", "localhost"] {
            let url = "http://\(host):\(origin.port)/"
            await #expect(throws: HTTPClient.Error.noInterface("missing0")) {
                try await client.response(for: HTTPRequest(url: url, interface: "missing0"))
            }
        }
        #expect(origin.log.acceptedConnections == 0)
        #expect(try await client.data(for: request()) == [1])
    }

    @Test func whatIsNoNameOfAnInterfaceIsRefused() async {
        for name in ["", ".", "..", "eth 0", "eth0\n", "a/b", "eth0:1", "0123456789abcdef", "a\0"] {
            await #expect(throws: HTTPClient.Error.invalidRequest("the interface is no name such as eth0")) {
                try await client.response(for: request(through: name))
            }
        }
        #expect(origin.log.acceptedConnections == 0)
    }

    @Test func theAddressOfWhoAnsweredIsTold() async throws {
        origin.on("/from", .redirect(to: "/"))
        for path in ["/", "/from", "/nothing"] {
            let response = try await client.response(for: HTTPRequest(url: origin.url(path)))
            #expect(response.remoteAddress == "127.0.0.1")
        }
    }
}
