import Glibc
import Testing

@testable import AsyncReachability

/// Tables with a fixed content.
struct FixedTables: RoutingTables {
    var ipv4: Result<Route, NetlinkFailure> = .failure(NetlinkFailure(code: ENETUNREACH, isAnswer: true))
    var ipv6: Result<Route, NetlinkFailure> = .failure(NetlinkFailure(code: ENETUNREACH, isAnswer: true))
    var allLinks: [Link] = []
    var allAddresses: [InterfaceAddress] = []

    func route(to address: IPAddress, flags: UInt32, interface: Int32?) -> Result<Route, NetlinkFailure> {
        address.isIPv6 ? ipv6 : ipv4
    }
    func link(_ index: Int32) -> Link? { allLinks.first { $0.index == index } }
    func links() -> [Link] { allLinks }
    func addresses() -> [InterfaceAddress] { allAddresses }
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
