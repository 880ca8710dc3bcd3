import Support
import Testing

@testable import AsyncReachability

/// Tunnels that need no device file, so that these tests run without root.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct OverlayTests {
    let network: NetworkNamespace
    let monitor: ReachabilityMonitor

    init() async throws {
        network = try NetworkNamespace()
        try network.disableIPv6()
        monitor = ReachabilityMonitor(source: NamespacedSource(network))
        try await network.connect()
        try network.ip(
            "link add vx0 type vxlan id 7 dstport 4789 remote 203.0.113.9",
            "address add 10.8.0.2/24 dev vx0",
            "link set vx0 up",
            "route add 203.0.113.9/32 via 192.0.2.1",
            "route replace default via 10.8.0.1"
        )
    }

    @Test func overlayIsATunnelOverItsCable() async {
        let current = await monitor.current
        #expect(current.vpn)
        #expect(current.mode == .wired)
        #expect(current.localAddress == "10.8.0.2")
        #expect(current.underlay == .init(mode: .wired, interface: "eth0"))
    }

    @Test(arguments: ["link set far0 down", "link set eth0 down", "link del eth0"])
    func overlayWithoutACableIsNone(accident: String) async throws {
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.vpn == true)
        try network.ip(accident)
        let after = await changes.next()
        #expect(after?.mode == ConnectionMode.none)
        #expect(after?.reason == .noLink)
    }
}
