import CLinux
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct NetlinkParsingTests {
    @Test func linkIsReadWithItsKindMasterAndState() throws {
        let info = Built.attribute(IFLA_INFO_KIND, Array("bridge\0".utf8))
        let payload = Built.link(
            Built.attribute(IFLA_IFNAME, Array("br0\0".utf8)) + Built.attribute(IFLA_OPERSTATE, [6])
                + Built.attribute(IFLA_MASTER, integer: 9) + Built.attribute(IFLA_LINK, integer: 3)
                + Built.attribute(IFLA_LINKINFO, info)
        )
        let link = try #require(Built.parsed(RTM_NEWLINK, payload).flatMap(Link.init))
        #expect(
            link
                == Link(
                    index: 7,
                    name: "br0",
                    type: 1,
                    flags: 0x1_0043,
                    kind: "bridge",
                    master: 9,
                    lower: 3,
                    operationalState: 6
                )
        )
        #expect(link.isUsable)
    }

    @Test func nestedFlagOfAnAttributeIsNotPartOfItsType() throws {
        let info = Built.attribute(IFLA_INFO_KIND, Array("veth\0".utf8))
        let payload = Built.link(
            Built.attribute(IFLA_IFNAME, Array("v0".utf8)) + Built.attribute(IFLA_LINKINFO | 0x8000, info)
        )
        #expect(Built.parsed(RTM_NEWLINK, payload).flatMap(Link.init)?.kind == "veth")
    }

    @Test func lowerLinkInAnotherNamespaceIsNotMistakenForOneHere() {
        let payload = Built.link(
            Built.attribute(IFLA_IFNAME, Array("v0".utf8)) + Built.attribute(IFLA_LINK, integer: 3)
                + Built.attribute(IFLA_LINK_NETNSID, integer: 0)
        )
        let link = Built.parsed(RTM_NEWLINK, payload).flatMap(Link.init)
        #expect(link?.name == "v0")
        #expect(link?.lower == nil)
    }

    @Test func bridgePortMessageIsNotALink() {
        let payload = Built.link(family: 7, Built.attribute(IFLA_IFNAME, Array("v0".utf8)))
        #expect(Built.parsed(RTM_NEWLINK, payload).flatMap(Link.init) == nil)
    }

    @Test(arguments: [
        (UInt32(0x1_0043), UInt8(6), true),  // up, carrier
        (0x1_0043, 0, true),  // a tunnel or an old driver: state unknown
        (0x1_0042, 6, false),  // admin down
        (0x0_0043, 6, false),  // no carrier
        (0x3_0043, 6, false),  // dormant: 802.1X is not done
        (0x1_0043, 2, false),  // operationally down: tun without a reader
    ])
    func usableMeansUpWithCarrierAndNotDormant(flags: UInt32, state: UInt8, expected: Bool) {
        let link = Link(index: 1, name: "x", flags: flags, operationalState: state)
        #expect(link.isUsable == expected)
    }

    @Test func routeIsReadWithInterfaceSourceAndGateway() throws {
        let payload = Built.route(
            flags: 0x10,
            Built.attribute(RTA_OIF.rawValue, integer: 70_000)
                + Built.attribute(RTA_PREFSRC.rawValue, [192, 0, 2, 5])
                + Built.attribute(RTA_GATEWAY.rawValue, [192, 0, 2, 1])
        )
        let route = try #require(Built.parsed(RTM_NEWROUTE, payload).flatMap(Route.init))
        #expect(route.interfaceIndex == 70_000)
        #expect(route.source == .v4(192, 0, 2, 5))
        #expect(route.gateway == .v4(192, 0, 2, 1))
        #expect(!route.isAlive)
    }

    @Test func gatewayOfTheOtherFamilyIsRead() {
        let via: [UInt8] = [10, 0] + (IPAddress.v6(1)?.bytes ?? [])
        let payload = Built.route(Built.attribute(RTA_VIA.rawValue, via))
        #expect(Built.parsed(RTM_NEWROUTE, payload).flatMap(Route.init)?.gateway == .v6(1))
    }

    @Test func ownEndOfAPointToPointLinkIsTheAddress() {
        let payload = Built.address(
            Built.attribute(IFA_ADDRESS, [192, 0, 2, 9]) + Built.attribute(IFA_LOCAL, [192, 0, 2, 8])
        )
        #expect(
            Built.parsed(RTM_NEWADDR, payload).flatMap(InterfaceAddress.init)?.address == .v4(192, 0, 2, 8)
        )
    }

    @Test func longFlagsOfAnAddressReplaceTheShortOnes() {
        let payload = Built.address(
            flags: 0x80,
            Built.attribute(IFA_ADDRESS, IPAddress.v6(1)?.bytes ?? [])
                + Built.attribute(IFA_FLAGS, integer: 0x40)
        )
        let address = Built.parsed(RTM_NEWADDR, payload).flatMap(InterfaceAddress.init)
        #expect(address?.flags == 0x40)
        #expect(address?.isUsable == false)
    }

    @Test func addressesAreWrittenAsUsual() {
        #expect(IPAddress.v4(192, 0, 2, 1)?.description == "192.0.2.1")
        #expect(IPAddress.v6(0x1f)?.description == "2001:db8::1f")
        #expect(IPAddress.farIPv6.description == "2001:503:ba3e::2:30")
        #expect(IPAddress([1, 2, 3]) == nil)
    }

    @Test func addressClassesEndWhereTheyShould() {
        #expect(IPAddress.linkLocal(1)?.isIPv6LinkLocal == true)
        #expect(IPAddress([0xfe, 0xbf] + [UInt8](repeating: 0, count: 14))?.isIPv6LinkLocal == true)
        #expect(IPAddress([0xfe, 0xc0] + [UInt8](repeating: 0, count: 14))?.isIPv6LinkLocal == false)
        #expect(IPAddress.v4(254, 128, 0, 1)?.isIPv6LinkLocal == false)
        #expect(IPAddress.v4(192, 0, 0, 7)?.isIPv4OverIPv6 == true)
        #expect(IPAddress.v4(192, 0, 0, 8)?.isIPv4OverIPv6 == false)
        #expect(IPAddress.v4(192, 0, 1, 4)?.isIPv4OverIPv6 == false)
    }

    @Test func requestsCarryWhatTheKernelExpects() throws {
        let bytes = NetlinkRequest.route(to: .farIPv4, flags: 0x3000).bytes(sequence: 5)
        var messages = NetlinkMessages(bytes)
        let first = messages.next()
        let message = try #require(first)
        #expect(Int(message.type) == Int(RTM_GETROUTE))
        #expect(message.flags == UInt16(NLM_F_REQUEST))
        #expect(message.sequence == 5)
        #expect(message.payload.integer(at: 0, as: UInt16.self) == 0x2002)  // AF_INET, /32
        #expect(message.payload.integer(at: 8, as: UInt32.self) == 0x3000)
        let attributes = Array(message.attributes(after: 12))
        #expect(attributes.map(\.type) == [Int(RTA_DST.rawValue)])
        #expect(attributes.first?.value.array == [198, 41, 0, 4])
        #expect(messages.next() == nil)
    }

    @Test func onlyEventsThatCanMatterMakeTheReaderAsk() throws {
        let name = Built.attribute(IFLA_IFNAME, Array("wlan0".utf8))
        let wireless = name + Built.attribute(IFLA_WIRELESS, [1, 2, 3, 4])
        let cases: [(Int, [UInt8], Bool)] = [
            (RTM_NEWLINK, Built.link(name), true),
            (RTM_DELLINK, Built.link(family: 7, name), false),
            (RTM_NEWLINK, Built.link(change: 0, wireless), false),
            (RTM_NEWLINK, Built.link(change: 1, wireless), true),
            (RTM_NEWLINK, Built.link(change: 0, name), true),
            (RTM_NEWLINK, [], true),
            (RTM_DELROUTE, [], true),
            (RTM_NEWRULE, [7], true),
        ]
        for (type, payload, expected) in cases {
            #expect(EventSocket.matters(try #require(Built.parsed(type, payload))) == expected)
        }
    }
}
