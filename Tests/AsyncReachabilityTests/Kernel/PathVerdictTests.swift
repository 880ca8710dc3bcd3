import Glibc
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct PathVerdictTests {
    private let link = Link(index: 2, name: "eth0")
    private let here = IPAddress.v4(192, 0, 2, 5)

    private func judge(_ entry: Route, _ resolved: Route, _ link: Link?) -> FamilyVerdict {
        PathVerdict.judge(entry: entry, resolved: resolved, link: link, to: .farIPv4)
    }

    private func way(_ source: IPAddress?) throws -> FamilyVerdict {
        .usable(Way(link: link, source: try #require(source)))
    }

    @Test func routeWithLinkAndSourceIsAWayOut() throws {
        let gateway = IPAddress.v4(192, 0, 2, 1)
        let resolved = Route(interfaceIndex: 2, source: here, gateway: gateway)
        let verdict = judge(Route(), resolved, link)
        #expect(verdict == .usable(Way(link: link, source: try #require(here), gateway: gateway)))
    }

    @Test(arguments: [
        (UInt8(6), UnreachableReason.prohibited), (7, .prohibited), (8, .prohibited), (9, .noRoute),
    ])
    func routeThatLeadsNowhereIsNone(type: UInt8, reason: UnreachableReason) {
        let resolved = Route(interfaceIndex: 2, source: here)
        #expect(
            judge(Route(type: type), resolved, link) == .unusable(reason)
        )
    }

    @Test(arguments: [0x1, 0x10] as [UInt32])
    func deadNextHopIsNoLink(flag: UInt32) {
        let good = Route(interfaceIndex: 2, source: here)
        var bad = good
        bad.flags = flag
        #expect(judge(bad, good, link) == .unusable(.noLink))
        #expect(judge(good, bad, link) == .unusable(.noLink))
    }

    @Test func linkWithoutCarrierOrThatIsGoneIsNoLink() {
        var unplugged = link
        unplugged.flags = Link.Flag.up
        let route = Route(interfaceIndex: 2, source: here)
        #expect(judge(route, route, unplugged) == .unusable(.noLink))
        #expect(judge(route, route, nil) == .unusable(.noLink))
    }

    @Test(arguments: [nil, .v4(0, 0, 0, 0), .linkLocal(1)] as [IPAddress?])
    func sourceThatReachesNowhereIsNoAddress(source: IPAddress?) {
        let route = Route(interfaceIndex: 2, source: source)
        #expect(judge(route, route, link) == .unusable(.noAddress))
    }

    @Test func linkLocalIPv4IsTrustedBecauseSomeCloudsRouteFromIt() {
        let route = Route(interfaceIndex: 2, source: .v4(169, 254, 76, 1))
        guard case .usable = judge(route, route, link) else {
            Issue.record("169.254/16 was refused")
            return
        }
    }

    @Test func eitherFamilyIsEnoughAndIPv4IsFirst() throws {
        let (ipv4, ipv6) = (try way(here), try way(.v6(5)))
        #expect(PathVerdict.choose(ipv4, ipv6) == ipv4)
        #expect(PathVerdict.choose(ipv4, .unusable(.noRoute)) == ipv4)
        #expect(PathVerdict.choose(.unusable(.noRoute), ipv6) == ipv6)
    }

    @Test func translatedIPv4GivesWayToTheIPv6BelowIt() throws {
        let (ipv4, ipv6) = (try way(.v4(192, 0, 0, 4)), try way(.v6(5)))
        #expect(PathVerdict.choose(ipv4, ipv6) == ipv6)
        #expect(PathVerdict.choose(ipv4, .unusable(.noRoute)) == ipv4)
    }

    @Test func reasonNearestToAWorkingNetworkIsGiven() {
        func reason(_ first: UnreachableReason, _ second: UnreachableReason) -> FamilyVerdict {
            PathVerdict.choose(.unusable(first), .unusable(second))
        }
        #expect(reason(.noRoute, .noAddress) == .unusable(.noAddress))
        #expect(reason(.noLink, .noRoute) == .unusable(.noLink))
        #expect(reason(.noRoute, .prohibited) == .unusable(.prohibited))
        #expect(reason(.refused, .noRoute) == .unusable(.refused))
        #expect(reason(.noRoute, .noRoute) == .unusable(.noRoute))
    }

    @Test(arguments: [
        (ENETUNREACH, UnreachableReason.noRoute, UnreachableReason.noRoute),
        (EHOSTUNREACH, .prohibited, .prohibited), (EACCES, .prohibited, .prohibited),
        (EINVAL, .prohibited, .prohibited), (EOPNOTSUPP, .refused, .noRoute),
        (EAFNOSUPPORT, .refused, .noRoute), (EPERM, .refused, .refused), (ENOMEM, .refused, .refused),
    ])
    func errnoOfTheKernelHasAMeaning(code: Int32, ipv4: UnreachableReason, ipv6: UnreachableReason) {
        let failure = NetlinkFailure(code: code, isAnswer: true)
        #expect(PathVerdict.reason(for: failure, isIPv6: false) == ipv4)
        #expect(PathVerdict.reason(for: failure, isIPv6: true) == ipv6)
    }

    @Test func systemCallThatFailsIsARefusalWhateverItsErrno() {
        for code in [EACCES, EPERM, EINVAL, ENETUNREACH, ETIMEDOUT] {
            #expect(PathVerdict.reason(for: NetlinkFailure(code: code), isIPv6: true) == .refused)
        }
    }

    @Test func missingRouteIsExplainedByTheMissingLinkOrAddress() throws {
        let loopback = Link(index: 1, name: "lo", type: 772)
        let down = Link(index: 2, name: "eth0", flags: 0)
        let address = InterfaceAddress(interfaceIndex: 2, address: try #require(here))
        let local = InterfaceAddress(interfaceIndex: 2, address: try #require(.linkLocal(1)))
        let loopbackAddress = InterfaceAddress(interfaceIndex: 1, address: try #require(.v4(127, 0, 0, 1)))
        #expect(PathVerdict.whyNoRoute(links: [], addresses: []) == .noLink)
        #expect(PathVerdict.whyNoRoute(links: [loopback, down], addresses: [address]) == .noLink)
        #expect(
            PathVerdict.whyNoRoute(links: [loopback, link], addresses: [loopbackAddress, local]) == .noAddress
        )
        #expect(PathVerdict.whyNoRoute(links: [loopback, link], addresses: [address]) == .noRoute)
    }
}
