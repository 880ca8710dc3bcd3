import AsyncPrimitives
import Support
import Testing

@testable import AsyncReachability

/// The way to one host, as the kernel would send.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct HostPathTests {
    let network: NetworkNamespace
    let source: NamespacedSource

    init() throws {
        network = try NetworkNamespace()
        try network.disableIPv6()
        source = NamespacedSource(network)
    }

    private func monitor(of host: String) throws -> ReachabilityMonitor {
        ReachabilityMonitor(of: .host(try Host(host)), source: source)
    }

    @Test func hostOnTheLocalNetworkNeedsNoDefaultRoute() async throws {
        try await network.plugIn()
        try network.ip("address add 192.0.2.2/24 dev eth0")
        let near = await (try monitor(of: "192.0.2.77")).current
        #expect(
            near.path == .reachable(NetworkRoute(mode: .wired, interface: "eth0", localAddress: "192.0.2.2"))
        )
        #expect(await (try monitor(of: "198.51.100.1")).current.reason == .noRoute)
        #expect(await ReachabilityMonitor(source: source).current.reason == .noRoute)
    }

    @Test(.enabled(if: NetworkTunnel.isAvailable, "\(NetworkTunnel.refusal ?? "")"))
    func localAddressIsTheOneTheKernelWouldUseForThatHost() async throws {
        try await network.connect()
        let tunnel = try network.makeTunnel("tun0")
        try network.ip(
            "link add docker0 type bridge",
            "address add 172.17.0.1/16 dev docker0",
            "link set docker0 up",
            "link set tun0 up",
            "address add 10.8.0.2/24 dev tun0",
            "route add 10.0.0.0/8 dev tun0"
        )
        let inside = try monitor(of: "10.9.9.9")
        try await inside.waitUntilReachable(timeout: .seconds(10))
        #expect(await inside.current.localAddress == "10.8.0.2")
        #expect(await inside.current.vpn)
        let outside = await (try monitor(of: "203.0.113.5")).current
        #expect(outside.localAddress == "192.0.2.2")
        #expect(!outside.vpn)
        withExtendedLifetime(tunnel) {}
    }

    @Test func thisMachineIsReachedWithoutAnyCable() async throws {
        try network.ip("link set lo up")
        for name in ["127.0.0.1", "localhost", "127.9.8.7", "[::1]:80"] {
            let current = await (try monitor(of: name)).current
            #expect(current.isReachable, "\(name)")
            #expect(current.interface == "lo")
            #expect(current.mode == .other)
        }
    }

    @Test func ownAddressIsReachable() async throws {
        try await network.connect()
        try network.ip("link set lo up")
        #expect(await (try monitor(of: "192.0.2.2")).current.localAddress == "192.0.2.2")
    }

    @Test func linkLocalHostIsReachedThroughItsZone() async throws {
        let network = try NetworkNamespace()
        try await network.plugIn()
        let source = NamespacedSource(network)
        func monitor(_ host: String) throws -> ReachabilityMonitor {
            ReachabilityMonitor(of: .host(try Host(host)), source: source)
        }
        let change = try await monitor("fe80::1234%eth0").waitUntilReachable(timeout: .seconds(20))
        #expect(change.interface == "eth0")
        #expect(change.localAddress?.hasPrefix("fe80::") == true)
        #expect(await (try monitor("fe80::1234%eth9")).current.reason == .noLink)
    }

    @Test(arguments: [("blackhole", UnreachableReason.prohibited), ("throw", .noRoute)])
    func routeThatForbidsOneHostLeavesTheOthers(type: String, reason: UnreachableReason) async throws {
        try await network.connect()
        try network.ip("route add \(type) 203.0.113.5/32")
        if type == "throw" { try network.ip("route del default") }
        #expect(await (try monitor(of: "203.0.113.5")).current.reason == reason)
        #expect(await (try monitor(of: "192.0.2.9")).current.isReachable)
    }

    @Test func changeOfOneHostsRouteIsAnElementForThatHostOnly() async throws {
        try await network.connect()
        try await network.plugIn("eth1", far: "far1")
        try network.ip("address add 198.51.100.2/24 dev eth1")
        let (moved, unmoved) = (try monitor(of: "203.0.113.5"), try monitor(of: "203.0.113.6"))
        var changes = moved.changes.makeAsyncIterator()
        #expect(await changes.next()?.interface == "eth0")
        #expect(await unmoved.current.interface == "eth0")
        try network.ip("route add 203.0.113.5/32 via 198.51.100.1")
        #expect(await changes.next()?.interface == "eth1")
        #expect(await unmoved.current.generation == 1)
    }

    @Test func deadHopOfSeveralDoesNotHideTheOther() async throws {
        try await network.plugIn()
        try await network.plugIn("eth1", far: "far1")
        try network.ip(
            "address add 192.0.2.2/24 dev eth0",
            "address add 198.51.100.2/24 dev eth1",
            "route add default nexthop via 192.0.2.1 nexthop via 198.51.100.1",
            "link set far0 down"
        )
        let isDown = try await eventually {
            try network.inside {
                try (KernelRoutingTables().links() ?? []).contains { $0.name == "eth0" && !$0.isUsable }
            }
        }
        #expect(isDown)
        // Which hop a destination gets is a matter of its hash.
        for last in 1...20 {
            #expect(await (try monitor(of: "203.0.113.\(last)")).current.interface == "eth1")
        }
    }

    @Test func linkThatLeadsNowhereIsNoWay() async throws {
        try network.ip(
            "link add ifb9 type ifb",
            "link set ifb9 up",
            "address add 10.0.0.2/24 dev ifb9",
            "route add default dev ifb9"
        )
        #expect(await ReachabilityMonitor(source: source).current.reason == .noLink)
    }

    @Test func hundredHostsShareOneThreadAndFourDescriptors() async {
        await #expect(processExitsWith: .success) {
            let source = NamespacedSource(try NetworkNamespace())
            try await Task.sleep(for: .milliseconds(1))
            let before = ResourceUse.now
            var monitors: [ReachabilityMonitor] = []
            for number in 1...100 {
                let monitor = ReachabilityMonitor(of: .host(try Host("203.0.113.\(number)")), source: source)
                #expect(await monitor.current.reason == .noLink)
                monitors.append(monitor)
            }
            // The runtime may have started threads and opened descriptors of its own.
            #expect(ResourceUse.now.descriptors <= before.descriptors + 4 + 4)
            #expect(ResourceUse.now.threads <= before.threads + 1 + ResourceUse.processors)
            withExtendedLifetime(monitors) {}
        }
    }
}
