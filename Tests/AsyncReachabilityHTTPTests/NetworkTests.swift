import AsyncBridging
import AsyncReachability
import AsyncReachabilityHTTP
import Support
import Testing

/// A machine with two ways to one address: a cable that wins by its metric, and a wireless network with a portal.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct NetworkTests {
    private static let server = "203.0.113.1"

    private let machine: NetworkNamespace
    private let internet: NetworkNamespace
    private let portal: NetworkNamespace
    private let origins: [HTTPOrigin]

    init() throws {
        (machine, internet, portal) = try (NetworkNamespace(), NetworkNamespace(), NetworkNamespace())
        try Self.connect(machine, "cable0", to: internet, subnet: "192.0.2", metric: 1)
        try Self.connect(machine, "radio0", to: portal, subnet: "198.51.100", metric: 2)
        origins = try [
            Self.serve(in: internet, .respond(status: 204)),
            Self.serve(in: portal, .redirect(to: "http://portal.test/")),
        ]
    }

    private static func connect(
        _ machine: NetworkNamespace,
        _ name: String,
        to other: NetworkNamespace,
        subnet: String,
        metric: Int
    ) throws {
        // A strict filter, which some systems have, drops answers that come by the way that loses.
        try machine.set("net/ipv4/conf/all/rp_filter", to: "0")
        try machine.set("net/ipv4/conf/default/rp_filter", to: "0")
        try machine.plug(name, into: other, as: "far0")
        try machine.ip("address add \(subnet).2/24 dev \(name)")
        try machine.ip("route add default via \(subnet).1 dev \(name) metric \(metric)")
        try other.ip("address add \(subnet).1/24 dev far0", "address add \(server)/32 dev far0")
    }

    private static func serve(in namespace: NetworkNamespace, _ behaviour: HTTPOrigin.Behaviour) throws
        -> HTTPOrigin
    {
        let origin = try namespace.inside { try HTTPOrigin(address: server, port: 8080) }
        origin.on("/", behaviour)
        return origin
    }

    private func verdict(over interface: String, bindsToInterface: Bool = true) throws -> ProbeVerdict {
        let route = NetworkRoute(mode: .wired, interface: interface, localAddress: "")
        let probe = try HTTPProbe(url: "http://\(Self.server):8080/", bindsToInterface: bindsToInterface)
        // The thread that waits runs the probe, so the client's thread starts in the namespace as well.
        return try machine.inside { try SyncBridge.wait { await probe.validate(over: route) } }
    }

    @Test func eachInterfaceHasAVerdictOfItsOwn() async throws {
        #expect(try await eventually { try verdict(over: "cable0") == .validated })
        #expect(try await eventually { try verdict(over: "radio0") == .portal })
    }

    @Test func theTablesDecideWhenNotBound() async throws {
        #expect(try await eventually { try verdict(over: "cable0") == .validated })
        #expect(try verdict(over: "radio0", bindsToInterface: false) == .validated)
    }
}
