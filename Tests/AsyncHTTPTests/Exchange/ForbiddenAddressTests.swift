import AsyncBridging
import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ForbiddenAddressTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient(configuration: .forStrangers)

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/", .respond(body: [1]))
    }

    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]"])
    func aHostOnThisMachineIsRefusedBeforeAnythingIsSent(host: String) async throws {
        let authority = "\(host):\(origin.port)"
        await #expect(throws: HTTPClient.Error.forbiddenAddress(host: authority)) {
            try await client.data(for: "http://\(authority)/")
        }
        #expect(origin.log.acceptedConnections == 0)
    }

    @Test(arguments: ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
    func otherSpellingsOfAnAddressLeadNowhereElse(host: String) async throws {
        await #expect(throws: HTTPClient.Error.self) {
            try await client.data(for: "http://\(host):\(origin.port)/")
        }
        #expect(origin.log.acceptedConnections == 0)
    }

    @Test func aClientWithoutTheRuleAsksTheSameHost() async throws {
        #expect(HTTPClient.Configuration().allowsPrivateAddresses)
        #expect(try await HTTPClient().data(for: origin.url("/")) == [1])
    }

    @Test func aConnectionThatAnotherClientKeepsIsNotUsed() async throws {
        let other = HTTPClient()
        _ = try await other.data(for: origin.url("/"))
        await #expect(throws: HTTPClient.Error.forbiddenAddress(host: "127.0.0.1:\(origin.port)")) {
            try await client.data(for: origin.url("/"))
        }
        #expect(origin.log.acceptedConnections == 1)
    }
}

/// With an address that counts as one of the Internet, in a network that has no other.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct ForbiddenRedirectTests {
    private let network: NetworkNamespace
    private let near: HTTPOrigin
    private let far: HTTPOrigin

    init() throws {
        network = try NetworkNamespace()
        try network.ip("link set lo up", "addr add 203.0.113.1/32 dev lo")
        (near, far) = try network.inside {
            (try HTTPOrigin(address: "127.0.0.1"), try HTTPOrigin(address: "203.0.113.1"))
        }
        near.on("/secret", .respond(body: [1]))
        far.on("/", .respond(body: [2]))
        far.on("/inside", .redirect(to: near.url("/secret")))
    }

    @Test func aRedirectToThisMachineIsRefusedThere() throws {
        let (strict, open) = (HTTPClient(configuration: .forStrangers), HTTPClient())
        #expect(try outcome(of: strict, far.url("/")) == .success([2]))
        let error = HTTPClient.Error.forbiddenAddress(host: "127.0.0.1:\(near.port)")
        #expect(try outcome(of: strict, far.url("/inside")) == .failure(error))
        #expect(near.log.acceptedConnections == 0)
        #expect(try outcome(of: open, far.url("/inside")) == .success([1]))
    }

    @Test func aRefusalIsForgottenByTheNextRequest() throws {
        let client = HTTPClient(configuration: .forStrangers)
        let error = HTTPClient.Error.forbiddenAddress(host: "127.0.0.1:\(near.port)")
        #expect(try outcome(of: client, near.url("/secret")) == .failure(error))
        // Nobody listens at port 1 of the namespace.
        let refusal = HTTPClient.Error.refused(host: "203.0.113.1:1")
        #expect(try outcome(of: client, "http://203.0.113.1:1/") == .failure(refusal))
    }

    /// The client's thread starts with the first request, and stays in the network of whoever sends that.
    private func outcome(of client: HTTPClient, _ url: String) throws -> Result<[UInt8], HTTPClient.Error> {
        try network.inside {
            do {
                return .success(try client.blocking.data(for: url))
            } catch {
                guard case SyncBridge.Error<HTTPClient.Error>.operation(let error) = error else {
                    throw error
                }
                return .failure(error)
            }
        }
    }
}

extension HTTPClient.Configuration {
    /// For URLs that somebody else chooses.
    fileprivate static var forStrangers: Self {
        var configuration = Self()
        configuration.allowsPrivateAddresses = false
        return configuration
    }
}
