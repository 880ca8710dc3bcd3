import Support
import Testing

@testable import AsyncReachability

/// A VPN is a way out only for as long as something carries it.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: NetworkTunnel.isAvailable, "\(NetworkTunnel.refusal ?? "")")
)
struct TunnelTests {
    let network: NetworkNamespace
    let monitor: ReachabilityMonitor

    init() throws {
        network = try NetworkNamespace()
        try network.disableIPv6()
        monitor = ReachabilityMonitor(source: NamespacedSource(network))
    }

    /// A tunnel that takes the default route; its far end is reached by a route of its own, as OpenVPN sets it.
    private func openTunnel() throws -> NetworkTunnel {
        let tunnel = try network.makeTunnel("tun0")
        try network.ip(
            "link set tun0 up",
            "address add 10.8.0.2/24 dev tun0",
            "route add 203.0.113.9/32 via 192.0.2.1 dev eth0",
            "route replace default dev tun0"
        )
        return tunnel
    }

    private static let overTheCable = NetworkRoute(
        mode: .wired,
        interface: "tun0",
        localAddress: "10.8.0.2",
        vpn: true,
        underlay: .init(mode: .wired, interface: "eth0")
    )

    /// Waits for the tunnel and returns what it is.
    private func untilTunnel() async -> NetworkPath? {
        for await change in monitor.changes where change.vpn { return change.path }
        return nil
    }

    @Test func tunnelIsOnlineWithTheModeOfTheLinkBelowIt() async throws {
        try await network.connect()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.vpn == false)
        let tunnel = try openTunnel()
        #expect(await untilTunnel() == .reachable(Self.overTheCable))
        withExtendedLifetime(tunnel) {}
    }

    @Test(arguments: ["link set far0 down", "link set eth0 down", "link del eth0", "address flush dev eth0"])
    func tunnelWhoseUnderlayIsLostIsNone(accident: String) async throws {
        try await network.connect()
        let tunnel = try openTunnel()
        #expect(await untilTunnel() == .reachable(Self.overTheCable))
        var changes = monitor.changes.makeAsyncIterator()
        _ = await changes.next()
        try network.ip(accident)
        let after = await changes.next()
        #expect(after?.mode == ConnectionMode.none)
        #expect(after?.reason == (accident.hasPrefix("address") ? .noAddress : .noLink))
        withExtendedLifetime(tunnel) {}
    }

    @Test func underlayIsTheLinkWithTheBestWayOut() async throws {
        try await network.connect()
        try await network.plugIn("eth1", far: "far1")
        try network.ip(
            "address add 198.51.100.2/24 dev eth1",
            "route add default via 198.51.100.1 metric 50",
            "route del default via 192.0.2.1",
            "route add default via 192.0.2.1 metric 100"
        )
        let tunnel = try network.makeTunnel("tun0")
        try network.ip(
            "link set tun0 up",
            "address add 10.8.0.2/24 dev tun0",
            "route add 0.0.0.0/1 dev tun0",
            "route add 128.0.0.0/1 dev tun0"
        )
        _ = await untilTunnel()
        #expect(await monitor.current.underlay?.interface == "eth1")
        withExtendedLifetime(tunnel) {}
    }

    @Test func ruleOfAWireGuardKindSendsAllButItsOwnPacketsThroughTheTunnel() async throws {
        try await network.connect()
        let tunnel = try network.makeTunnel("wg0")
        try network.ip(
            "link set wg0 up",
            "address add 10.8.0.2/32 dev wg0",
            "route add default dev wg0 table 51820",
            "rule add not fwmark 0xca6c table 51820",
            "rule add table main suppress_prefixlength 0"
        )
        _ = await untilTunnel()
        let current = await monitor.current
        #expect(current.interface == "wg0")
        #expect(current.underlay == .init(mode: .wired, interface: "eth0"))
        #expect(current.mode == .wired)
        withExtendedLifetime(tunnel) {}
    }

    @Test func bridgeOfContainersCarriesNoTunnel() async throws {
        try network.ip(
            "link add docker0 type bridge",
            "address add 172.17.0.1/16 dev docker0",
            "link set docker0 up",
            "link add vnet0 type veth peer name guest0",
            "link set vnet0 master docker0",
            "link set vnet0 up",
            "link set guest0 up"
        )
        let tunnel = try network.makeTunnel("tun0")
        try network.ip("link set tun0 up", "address add 10.8.0.2/24 dev tun0", "route add default dev tun0")
        let hasCarrier = try await eventually {
            try network.inside {
                try (KernelRoutingTables().links() ?? []).filter { ["tun0", "docker0"].contains($0.name) }
                    .allSatisfy(\.isUsable)
            }
        }
        #expect(hasCarrier)
        #expect(await !monitor.current.isReachable)
        withExtendedLifetime(tunnel) {}
    }

    @Test func tunnelAloneIsTrustedWhereItsUnderlayIsKnownToBeElsewhere() async throws {
        let tunnel = try network.makeTunnel("tun0")
        try network.ip("link set tun0 up", "address add 10.8.0.2/24 dev tun0", "route add default dev tun0")
        let source = NamespacedSource(network) { $0.tunnelsNeedUnderlay = false }
        let trusting = ReachabilityMonitor(source: source)
        let change = try await trusting.waitUntilReachable(timeout: .seconds(10))
        #expect(change.mode == .other)
        #expect(change.vpn)
        #expect(change.underlay == nil)
        #expect(await monitor.current.reason == .noLink)
        withExtendedLifetime(tunnel) {}
    }
}
