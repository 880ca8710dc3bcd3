import Glibc
import Testing

@testable import AsyncReachability

/// Tables with a fixed content.
struct FixedTables: RoutingTables {
    var ipv4: Result<Route, NetlinkFailure> = .failure(NetlinkFailure(code: ENETUNREACH, isAnswer: true))
    var ipv6: Result<Route, NetlinkFailure> = .failure(NetlinkFailure(code: ENETUNREACH, isAnswer: true))
    var allLinks: [Link]? = []
    var allAddresses: [InterfaceAddress]? = []

    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure> {
        // Asked for another link than the route's, the kernel knows no way.
        if let interface, (try? ipv4.get().interfaceIndex) != interface {
            return .failure(NetlinkFailure(code: ENETUNREACH, isAnswer: true))
        }
        return address.isIPv6 ? ipv6 : ipv4
    }
    var oneLink: Link?

    func link(_ index: Int32) -> Link? { allLinks?.first { $0.index == index } ?? oneLink }
    func links() -> [Link]? { allLinks }
    func addresses() -> [InterfaceAddress]? { allAddresses }
}

@Suite(.timeLimit(.minutes(1)))
struct PathFinderTests {
    private func path(_ tables: FixedTables) -> NetworkPath {
        PathFinder(tables: tables, devices: ListedDevices()).path()
    }

    @Test func wayOutIsDescribedAsARoute() {
        let route = Route(interfaceIndex: 2, source: .v4(10, 8, 0, 2))
        let link = Link(index: 2, name: "eth0")
        #expect(
            path(FixedTables(ipv4: .success(route), allLinks: [link]))
                == .reachable(NetworkRoute(mode: .wired, interface: "eth0", localAddress: "10.8.0.2"))
        )
    }

    @Test func bridgeIsClassifiedByTheLinksBelowIt() {
        let route = Route(interfaceIndex: 1, source: .v4(10, 0, 0, 2), gateway: .v4(10, 0, 0, 1))
        let links = [
            Link(index: 1, name: "br0", kind: "bridge"), Link(index: 2, name: "wwan0", master: 1),
        ]
        let expected = NetworkRoute(
            mode: .cellular,
            interface: "br0",
            localAddress: "10.0.0.2",
            gateway: "10.0.0.1",
            metered: .guessYes
        )
        #expect(path(FixedTables(ipv4: .success(route), allLinks: links)) == .reachable(expected))
    }

    @Test func containersCableCarriesNoTunnelOfAMachineWithHardware() throws {
        let route = Route(interfaceIndex: 9, source: .v4(10, 8, 0, 2))
        let tunnel = Link(index: 9, name: "wg0", type: 65534, kind: "wireguard")
        let guest = Link(index: 2, name: "ve-box", kind: "veth")
        let unplugged = Link(index: 3, name: "eth0", flags: Link.Flag.up)
        let address = InterfaceAddress(interfaceIndex: 2, address: try #require(.v4(10, 0, 0, 1)))
        func path(_ links: Link...) -> NetworkPath {
            self.path(FixedTables(ipv4: .success(route), allLinks: links, allAddresses: [address]))
        }
        #expect(path(tunnel, guest, unplugged) == .unreachable(.noAddress))
        #expect(path(tunnel, guest).route?.underlay?.interface == "ve-box")
    }

    @Test func linkThatLeadsNowhereDoesNotHideTheOtherFamily() {
        let sink = Link(index: 2, name: "dummy0", kind: "dummy")
        let cable = Link(index: 3, name: "eth0")
        let tables = FixedTables(
            ipv4: .success(Route(interfaceIndex: 2, source: .v4(10, 0, 0, 2))),
            ipv6: .success(Route(interfaceIndex: 3, source: .v6(2))),
            allLinks: [sink, cable]
        )
        #expect(path(tables).route?.interface == "eth0")
    }

    @Test func whatIsMadeOfAFailedListIsNotTold() {
        let bridge = Link(index: 1, name: "br0", kind: "bridge")
        let route = Route(interfaceIndex: 1, source: .v4(10, 0, 0, 2))
        let names = NameBook(timeout: .seconds(1), lookups: LookupThreads(resolver: ListedResolver([:]))) {
            _,
            _ in
        }
        func round(_ links: [Link]?) -> AskingRound<FixedTables> {
            let tables = FixedTables(ipv4: .success(route), allLinks: links, oneLink: bridge)
            return AskingRound(tables: tables, settings: KernelSettings(devices: ListedDevices()))
        }
        let failed = round(nil)
        #expect(failed.path(to: .internet, names: names) == nil)
        #expect(failed.isIncomplete)
        let whole = round([bridge])
        #expect(whole.path(to: .internet, names: names)?.route?.interface == "br0")
        #expect(!whole.isIncomplete)
    }

    @Test func kernelThatAnswersNothingClaimsNothing() {
        let silence = NetlinkFailure(code: EPERM)
        #expect(path(FixedTables(ipv4: .failure(silence), ipv6: .failure(silence))) == .unreachable(.refused))
    }

    @Test func kernelWithoutIPv6IsNotARefusal() {
        let missing = NetlinkFailure(code: EOPNOTSUPP, isAnswer: true)
        let tables = FixedTables(ipv6: .failure(missing), allLinks: [])
        #expect(path(tables) == .unreachable(.noLink))
    }
}
