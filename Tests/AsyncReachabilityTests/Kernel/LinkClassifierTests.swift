import Testing

@testable import AsyncReachability

/// Devices by name.
struct ListedDevices: DeviceDirectory {
    var facts: [String: DeviceFacts] = [:]

    func device(of link: Link) -> DeviceFacts? { facts[link.name] }
}

@Suite(.timeLimit(.minutes(1)))
struct LinkClassifierTests {
    private func nature(
        of link: Link,
        among links: [Link] = [],
        _ facts: [String: DeviceFacts] = [:]
    ) -> LinkNature {
        LinkClassifier(links: links, devices: ListedDevices(facts: facts)).nature(of: link)
    }

    @Test(arguments: [
        ("wireguard", UInt16(65534), ConnectionMode.other, true), ("tun", 65534, .other, true),
        ("ipip", 768, .other, true), ("xfrm", 65534, .other, true), ("ovpn", 65534, .other, true),
        ("tun", 1, .wired, false),  // tap
        ("veth", 1, .wired, false), ("netkit", 1, .wired, false), ("dsa", 1, .wired, false),
        ("ppp", 512, .other, false), ("made-up", 1, .other, false),
    ])
    func kindDecidesFirst(kind: String, type: UInt16, mode: ConnectionMode, isTunnel: Bool) {
        let link = Link(index: 1, name: "x0", type: type, kind: kind)
        #expect(nature(of: link) == LinkNature(mode: mode, isTunnel: isTunnel))
    }

    @Test(arguments: ["wwan", "rmnet"])
    func modemIsCellularAndSeemsMetered(kind: String) {
        #expect(nature(of: Link(index: 1, name: "x0", type: 519, kind: kind)) == .modem)
    }

    @Test(arguments: ["dummy", "ifb", "nlmon"])
    func linkThatLeadsNowhereIsASink(kind: String) {
        #expect(nature(of: Link(index: 1, name: "x0", kind: kind)) == .sink)
    }

    @Test(arguments: [("ipheth", true), ("rndis_host", true), ("cdc_ncm", false), ("virtio_net", false)])
    func tetherOfAPhoneIsACableThatSeemsMetered(driver: String, seemsMetered: Bool) {
        let expected = LinkNature(mode: .wired, seemsMetered: seemsMetered)
        #expect(nature(of: Link(index: 1, name: "eth1"), ["eth1": DeviceFacts(driver: driver)]) == expected)
    }

    @Test func bridgeForGuestsIsToldFromTheOneWithTheUplink() {
        let bridge = Link(index: 1, name: "br0", kind: "bridge")
        let guest = Link(index: 2, name: "vnet0", kind: "tun", master: 1)
        let cable = Link(index: 3, name: "eth0", master: 1)
        func isForGuests(_ links: Link...) -> Bool {
            LinkClassifier(links: links, devices: ListedDevices()).isForGuests(bridge)
        }
        #expect(isForGuests(bridge))
        #expect(isForGuests(bridge, guest))
        #expect(!isForGuests(bridge, guest, cable))
        #expect(!LinkClassifier(links: [cable], devices: ListedDevices()).isForGuests(cable))
    }

    @Test(
        arguments: [
            ("eth0", UInt16(1), nil, false, ConnectionMode.wired),
            ("ib0", 32, nil, false, .wired),
            ("usb0", 1, "gadget", false, .wired),
            ("wlan0", 1, "wlan", false, .wifi),
            ("wlp3s0", 1, nil, true, .wifi),
            ("wwan0", 1, "wwan", false, .cellular),
            ("wwp0s20u4", 1, nil, false, .cellular),  // an Ethernet type, and no mark but the name
            ("rmnet_data0", 530, nil, false, .cellular),
            ("x0", 519, nil, false, .cellular),
            ("bnep0", 1, "bluetooth", false, .other),
            ("ppp0", 512, nil, false, .other),
            ("lo", 772, nil, false, .other),
        ] as [(String, UInt16, String?, Bool, ConnectionMode)]
    )
    func hardwareIsToldByDeviceTypeThenHardwareTypeThenName(
        name: String,
        type: UInt16,
        deviceType: String?,
        isWireless: Bool,
        mode: ConnectionMode
    ) {
        let facts = [name: DeviceFacts(type: deviceType, isWireless: isWireless)]
        let seemsMetered = mode == .cellular || deviceType == "bluetooth"
        let expected = LinkNature(mode: mode, seemsMetered: seemsMetered)
        #expect(nature(of: Link(index: 1, name: name, type: type), facts) == expected)
    }

    @Test func accessPointOfThisMachineIsNoWifiOfIts() {
        let facts = ["wlan0": DeviceFacts(type: "wlan", isAccessPoint: true)]
        #expect(nature(of: Link(index: 1, name: "wlan0"), facts).mode == .other)
    }

    @Test func linkThatSysfsDoesNotShowIsACable() {
        #expect(nature(of: Link(index: 1, name: "eth0")).mode == .wired)
    }

    @Test func bridgeIsWhatItsHardwareIs() {
        let bridge = Link(index: 1, name: "br0", kind: "bridge")
        let guest = Link(index: 2, name: "vnet0", kind: "tun", master: 1)
        let container = Link(index: 3, name: "veth1", kind: "veth", master: 1)
        let radio = Link(index: 4, name: "wlan0", master: 1)
        let facts = ["wlan0": DeviceFacts(type: "wlan")]
        #expect(nature(of: bridge, among: [bridge, guest, container, radio], facts).mode == .wifi)
        #expect(nature(of: bridge, among: [bridge, guest, container]).mode == .wired)
        #expect(nature(of: bridge, among: [bridge]).mode == .other)
    }

    @Test func bondIsWhatItsMemberWithCarrierIs() {
        let bond = Link(index: 1, name: "bond0", kind: "bond")
        let unplugged = Link(index: 2, name: "eth0", flags: Link.Flag.up, master: 1)
        let radio = Link(index: 3, name: "wlan0", master: 1)
        let facts = ["wlan0": DeviceFacts(type: "wlan")]
        #expect(nature(of: bond, among: [bond, unplugged, radio], facts).mode == .wifi)
    }

    @Test func vlanOnBondOnCableIsACable() {
        let vlan = Link(index: 3, name: "vlan7", kind: "vlan", lower: 2)
        let bond = Link(index: 2, name: "bond0", kind: "bond")
        let cable = Link(index: 1, name: "eth0", master: 2)
        #expect(nature(of: vlan, among: [vlan, bond, cable]).mode == .wired)
    }

    @Test func macvlanOverALinkOutsideTheContainerIsItsCable() {
        #expect(nature(of: Link(index: 3, name: "eth0", kind: "macvlan"), among: []).mode == .wired)
    }

    @Test func tunnelBelowMakesATunnelAbove() {
        let bridge = Link(index: 1, name: "br0", kind: "bridge")
        let overlay = Link(index: 2, name: "vx0", kind: "vxlan", master: 1)
        #expect(nature(of: bridge, among: [bridge, overlay]) == .tunnel)
    }

    @Test func stackThatLoopsEnds() {
        let first = Link(index: 1, name: "a", kind: "vlan", lower: 2)
        let second = Link(index: 2, name: "b", kind: "vlan", lower: 1)
        let itself = Link(index: 3, name: "c", kind: "vlan", lower: 3)
        #expect(nature(of: first, among: [first, second]).mode == .other)
        #expect(nature(of: itself, among: [itself]).mode == .wired)
    }

    @Test func onlyStackedLinksNeedTheOthers() {
        #expect(LinkClassifier.needsOthers(Link(index: 1, name: "br0", kind: "bridge")))
        #expect(LinkClassifier.needsOthers(Link(index: 1, name: "v", kind: "ipvlan")))
        #expect(!LinkClassifier.needsOthers(Link(index: 1, name: "eth0")))
        #expect(!LinkClassifier.needsOthers(Link(index: 1, name: "wg0", kind: "wireguard")))
    }
}
