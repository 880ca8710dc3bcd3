import AsyncPrimitives
import Support
import Testing

@testable import AsyncReachability

/// What the kernel says in a network that the test builds.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct KernelPathTests {
    let network: NetworkNamespace
    let monitor: ReachabilityMonitor

    init() throws {
        network = try NetworkNamespace()
        monitor = ReachabilityMonitor(source: NamespacedSource(network))
    }

    private func configure() throws {
        try network.ip("address add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1")
    }

    private static let cable = NetworkPath.reachable(
        NetworkRoute(mode: .wired, interface: "eth0", localAddress: "192.0.2.2", gateway: "192.0.2.1")
    )

    @Test func emptyMachineHasNoLink() async throws {
        #expect(await monitor.current == Reachability(path: .unreachable(.noLink), generation: 0))
        try network.ip("link set lo up")
        #expect(
            await ReachabilityMonitor(source: NamespacedSource(network)).current.reason == .noLink
        )
    }

    @Test func reasonFollowsTheNetworkAsItIsBuilt() async throws {
        try network.disableIPv6()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.reason == .noLink)
        try await network.plugIn()
        #expect(await changes.next()?.reason == .noAddress)
        try network.ip("address add 192.0.2.2/24 dev eth0")
        #expect(await changes.next()?.reason == .noRoute)
        // The route alone makes it online; neither link nor address changes any more.
        try network.ip("route add default via 192.0.2.1")
        #expect(await changes.next() == Reachability(path: Self.cable, generation: 1))
        try network.ip("route del default")
        #expect(await changes.next()?.reason == .noRoute)
    }

    @Test func adminDownIsSeenThoughNoRouteMessageComes() async throws {
        try network.disableIPv6()
        try await network.plugIn()
        try configure()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == Self.cable)
        try network.ip("link set eth0 down")
        #expect(await changes.next()?.reason == .noLink)
    }

    @Test func lastAddressTakesTheRouteAlongSilently() async throws {
        try network.disableIPv6()
        try await network.plugIn()
        try configure()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == Self.cable)
        try network.ip("address del 192.0.2.2/24 dev eth0")
        #expect(await changes.next()?.reason == .noAddress)
    }

    @Test func pulledCableIsSeenThoughTheRouteStays() async throws {
        try network.disableIPv6()
        try await network.plugIn()
        try configure()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == Self.cable)
        try network.ip("link set far0 down")
        #expect(await changes.next()?.reason == .noLink)
        try network.ip("link set far0 up")
        #expect(await changes.next() == Reachability(path: Self.cable, generation: 2))
    }

    @Test func silentFailOverToTheSecondRouteIsSeen() async throws {
        try network.disableIPv6()
        try await network.plugIn()
        try configure()
        try network.ip(
            "link add eth1 type veth peer name far1",
            "link set far1 up",
            "link set eth1 up",
            "address add 198.51.100.2/24 dev eth1",
            "route add default via 198.51.100.1 metric 500"
        )
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.interface == "eth0")
        try network.ip("link set eth0 down")
        var after = await changes.next()
        // The second cable's carrier may be reported only now.
        if after?.isReachable == false { after = await changes.next() }
        #expect(after?.interface == "eth1")
        #expect(after?.localAddress == "198.51.100.2")
        #expect(after?.generation == 2)
    }

    @Test func switchToABetterCableIsOneElement() async throws {
        try network.disableIPv6()
        try await network.connect()
        try await network.plugIn("eth1", far: "far1")
        try network.ip("address add 198.51.100.2/24 dev eth1")
        let seen = State<[String?]>([])
        let task = Task { [monitor] in
            for await change in monitor.changes { seen.update { $0.append(change.interface) } }
        }
        for await all in seen where all.count == 1 { break }
        try network.ip(
            "route add default via 198.51.100.1 metric 1",
            "route del default via 192.0.2.1",
            "route add 203.0.113.0/24 via 192.0.2.1"
        )
        for await all in seen where all.count == 2 { break }
        try network.ip("route del default")
        for await all in seen where all.last == .some(nil) { break }
        #expect(seen.latest == ["eth0", "eth1", nil])
        task.cancel()
    }

    @Test func replacedGatewayIsANewGenerationOfTheSameMode() async throws {
        try network.disableIPv6()
        try await network.plugIn()
        try configure()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.generation == 1)
        try network.ip("route replace default via 192.0.2.254")
        let after = await changes.next()
        #expect(after?.generation == 2)
        #expect(after?.localAddress == "192.0.2.2")
    }

    @Test func sharedNextHopThatChangesWithoutARouteMessageIsSeen() async throws {
        try network.disableIPv6()
        try network.set("net/ipv4/nexthop_compat_mode", to: "0")
        try await network.plugIn()
        try network.ip(
            "address add 192.0.2.2/24 dev eth0",
            "nexthop add id 1 via 192.0.2.1 dev eth0",
            "route add default nhid 1"
        )
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == Self.cable)
        try network.ip("nexthop replace id 1 via 192.0.2.254 dev eth0")
        #expect(await changes.next()?.path.route?.gateway == "192.0.2.254")
    }

    @Test func machineWithIPv6OnlyIsOnline() async throws {
        try await network.plugIn()
        try network.ip("address add 2001:db8::2/64 dev eth0 nodad", "route add default via 2001:db8::1")
        let current = await monitor.current
        #expect(current.mode == .wired)
        #expect(current.interface == "eth0")
        #expect(current.localAddress == "2001:db8::2")
        var changes = monitor.changes.makeAsyncIterator()
        _ = await changes.next()
        try network.ip("link set eth0 down")
        #expect(await changes.next()?.reason == .noLink)
    }

    @Test func addressUnderDuplicateDetectionDoesNotCountYet() async throws {
        try await network.plugIn()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.reason == .noAddress)
        try network.ip("address add 2001:db8::2/64 dev eth0", "route add default via 2001:db8::1 dev eth0")
        // Nothing is delivered before the address can be bound.
        #expect(await changes.next()?.localAddress == "2001:db8::2")
        let addresses = try network.inside { try KernelRoutingTables().addresses() ?? [] }
        #expect(addresses.contains { $0.address == .v6(2) && $0.isUsable })
    }

    @Test func nextHopOfTheOtherFamilyIsAWayOut() async throws {
        try await network.plugIn()
        try network.ip("address add 192.0.2.2/32 dev eth0", "-4 route add default via inet6 fe80::1 dev eth0")
        #expect(await monitor.current.localAddress == "192.0.2.2")
    }

    @Test(arguments: ["blackhole", "prohibit", "unreachable"])
    func forbiddenTrafficIsProhibited(type: String) async throws {
        try await network.plugIn()
        try configure()
        try network.ip("route add \(type) 198.41.0.0/24")
        #expect(await monitor.current.reason == .prohibited)
    }

    /// For a rule of type unreachable the kernel gives the answer of a missing route.
    @Test(arguments: [
        ("blackhole", UnreachableReason.prohibited), ("prohibit", .prohibited), ("unreachable", .noRoute),
    ])
    func ruleThatForbidsTrafficIsSeen(type: String, reason: UnreachableReason) async throws {
        try network.disableIPv6()
        try await network.plugIn()
        try configure()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == Self.cable)
        try network.ip("rule add \(type)")
        #expect(await changes.next()?.reason == reason)
    }

    @Test func ruleDecidesNotTheMainTable() async throws {
        try network.disableIPv6()
        try await network.plugIn()
        try network.ip("address add 192.0.2.2/24 dev eth0")
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.reason == .noRoute)
        try network.ip("route add default via 192.0.2.1 table 100")
        try network.ip("rule add not fwmark 0xca6c table 100")
        #expect(await changes.next()?.path == Self.cable)
        try network.ip("rule del not fwmark 0xca6c table 100")
        #expect(await changes.next()?.reason == .noRoute)
    }

    @Test func twoHalvesMakeADefaultRoute() async throws {
        try await network.plugIn()
        try network.ip(
            "address add 192.0.2.2/24 dev eth0",
            "route add 0.0.0.0/1 via 192.0.2.1",
            "route add 128.0.0.0/1 via 192.0.2.1"
        )
        #expect(await monitor.current.path == Self.cable)
    }

    @Test func severalNextHopsAreAWayOut() async throws {
        try await network.plugIn()
        try network.ip(
            "address add 192.0.2.2/24 dev eth0",
            "route add default nexthop via 192.0.2.1 weight 1 nexthop via 192.0.2.3 weight 1"
        )
        let current = await monitor.current
        #expect(current.isReachable)
        #expect(current.interface == "eth0")
    }

    @Test func containerBridgeIsNoConnectionAndChangesNone() async throws {
        try network.ip(
            "link add docker0 type bridge",
            "address add 172.17.0.1/16 dev docker0",
            "link set docker0 up",
            "link add vnet0 type veth peer name guest0",
            "link set vnet0 master docker0",
            "link set vnet0 up",
            "link set guest0 up"
        )
        let hasCarrier = try await eventually {
            try network.inside {
                try KernelRoutingTables().links()?.contains { $0.name == "docker0" && $0.isUsable } ?? false
            }
        }
        #expect(hasCarrier)
        #expect(await monitor.current.reason == .noRoute)
        try await network.plugIn()
        try configure()
        #expect(
            await ReachabilityMonitor(source: NamespacedSource(network)).current.path == Self.cable
        )
    }

    @Test func bridgeWithTheUplinkIsWhatTheUplinkIs() async throws {
        try await network.plugIn()
        try network.ip(
            "link add br0 type bridge",
            "link set eth0 master br0",
            "link set br0 up",
            "address add 192.0.2.2/24 dev br0",
            "route add default via 192.0.2.1"
        )
        var changes = monitor.changes.makeAsyncIterator()
        while let change = await changes.next() {
            guard change.isReachable else { continue }
            #expect(change.mode == .wired)
            #expect(change.interface == "br0")
            break
        }
    }

    @Test(.enabled(if: NetworkTunnel.isAvailable, "\(NetworkTunnel.refusal ?? "")"))
    func tapOfARootlessContainerIsACable() async throws {
        let tap = try network.makeTunnel("tap0", ethernet: true)
        try network.ip(
            "link set tap0 up",
            "address add 10.0.2.100/24 dev tap0",
            "route add default via 10.0.2.2"
        )
        var changes = monitor.changes.makeAsyncIterator()
        while let change = await changes.next() {
            guard change.isReachable else { continue }
            #expect(change.mode == .wired)
            #expect(!change.vpn)
            break
        }
        withExtendedLifetime(tap) {}
    }

    @Test func everySubscriberBeginsWithTheSameState() async throws {
        try await network.plugIn()
        try configure()
        let first = await withTaskGroup(of: Reachability?.self) { [monitor] group in
            for _ in 0..<20 {
                group.addTask {
                    var changes = monitor.changes.makeAsyncIterator()
                    return await changes.next()
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(first == [Reachability(path: Self.cable, generation: 1)])
    }

    @Test func suspensionSkipsToTheLatestState() async throws {
        try await network.plugIn()
        try configure()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == Self.cable)
        await monitor.suspend()
        try network.ip("link set eth0 down", "link set eth0 up", "link set far0 down")
        await monitor.resume()
        #expect(await changes.next()?.reason == .noLink)
    }
}
