/// What a link is for the user.
struct LinkNature: Hashable {
    var mode: ConnectionMode
    var isTunnel = false
    /// Packets go nowhere from here.
    var isSink = false
    /// Such a link usually costs something.
    var seemsMetered = false

    static let tunnel = LinkNature(mode: .other, isTunnel: true)
    static let sink = LinkNature(mode: .other, isSink: true)
    static let modem = LinkNature(mode: .cellular, seemsMetered: true)
}

/// Tells the kinds of links apart: by what netlink says first, then by sysfs, and last by their names.
struct LinkClassifier {
    /// The other links of the namespace; needed for a link that stands on others.
    let links: [Link]
    let devices: any DeviceDirectory

    /// Bridges on bonds on VLANs exist; deeper stacks are a loop or an accident.
    private static let deepestStack = 8

    /// True when the nature of a link is that of the links below it.
    static func needsOthers(_ link: Link) -> Bool {
        link.kind.map { aggregates.contains($0) || uppers.contains($0) } ?? false
    }

    /// True for a bridge that leads to virtual machines or containers only, and for the near end of their cables.
    func isForGuests(_ link: Link) -> Bool {
        guard let kind = link.kind, Self.aggregates.contains(kind) else { return false }
        return !links.contains { isBelow($0, link) && !Self.guestPorts.contains($0.kind ?? "") }
    }

    func nature(of link: Link) -> LinkNature {
        nature(of: link, depth: 0)
    }

    private func nature(of link: Link, depth: Int) -> LinkNature {
        if link.isLoopback { return LinkNature(mode: .other) }
        guard let kind = link.kind else { return hardware(link) }
        if Self.aggregates.contains(kind) || Self.uppers.contains(kind) { return stacked(link, depth: depth) }
        // A tun device with Ethernet frames is a tap: the cable of a virtual machine or rootless container.
        if kind == "tun" { return link.type == Self.ethernet ? LinkNature(mode: .wired) : .tunnel }
        if Self.tunnels.contains(kind) { return .tunnel }
        if Self.cables.contains(kind) { return LinkNature(mode: .wired) }
        if Self.modems.contains(kind) { return .modem }
        if Self.sinks.contains(kind) { return .sink }
        return LinkNature(mode: .other)
    }

    /// A link with others below is what they are; the ports of virtual machines and containers do not count.
    private func stacked(_ link: Link, depth: Int) -> LinkNature {
        guard depth < Self.deepestStack else { return LinkNature(mode: .other) }
        let below = links.filter { $0.index != link.index && isBelow($0, link) }
        if below.isEmpty, Self.uppers.contains(link.kind ?? "") {
            // Its lower link is in another namespace: this is a container, and that is its cable.
            return LinkNature(mode: .wired)
        }
        let ports = below.filter { !Self.guestPorts.contains($0.kind ?? "") }
        let natures = (ports.isEmpty ? below : ports).map { nature(of: $0, depth: depth + 1) }
        let best = Self.preference.lazy.compactMap { mode in natures.first { $0.mode == mode } }.first
        return best ?? natures.first ?? LinkNature(mode: .other)
    }

    private func isBelow(_ other: Link, _ link: Link) -> Bool {
        link.lower == other.index || (other.master == link.index && other.isUsable)
    }

    private func hardware(_ link: Link) -> LinkNature {
        let device = devices.device(of: link)
        if let device, device.isRadio { return LinkNature(mode: device.isAccessPoint ? .other : .wifi) }
        if device?.type == "wwan" || isModem(link) { return .modem }
        if device?.type == "bluetooth" { return LinkNature(mode: .other, seemsMetered: true) }
        let isCable = link.type == Self.ethernet || link.type == Self.infiniBand
        // "gadget" is the USB network of a board that is itself the peripheral.
        let isPlain = device?.type == nil || device?.type == "gadget"
        let isPhone = device?.driver.map(Self.phoneDrivers.contains) ?? false
        return LinkNature(mode: isCable && isPlain ? .wired : .other, seemsMetered: isPhone)
    }

    /// Modems of phones and USB sticks; many call themselves Ethernet and have no other mark than the name.
    private func isModem(_ link: Link) -> Bool {
        link.type == Self.rawIP || link.type == Self.vendorRawIP
            || ["wwan", "wwp", "rmnet", "rev_rmnet", "ccmni"].contains(where: link.name.hasPrefix)
    }

    private static let preference = [ConnectionMode.wired, .wifi, .cellular]

    // ARPHRD_… of linux/if_arp.h; 530 is raw IP in the kernels of some phone vendors.
    private static let ethernet: UInt16 = 1
    private static let infiniBand: UInt16 = 32
    private static let rawIP: UInt16 = 519
    private static let vendorRawIP: UInt16 = 530

    private static let aggregates: Set = ["bridge", "bond", "team"]
    private static let uppers: Set = ["vlan", "macvlan", "macvtap", "ipvlan", "ipvtap"]
    private static let cables: Set = ["veth", "netkit", "dsa", "ipoib"]
    private static let guestPorts: Set = ["veth", "netkit", "tun"]
    private static let modems: Set = ["wwan", "rmnet"]
    private static let sinks: Set = ["dummy", "ifb", "nlmon"]
    /// The tethers of an iPhone and of Android phones.
    private static let phoneDrivers: Set = ["ipheth", "rndis_host"]
    private static let tunnels: Set = [
        "wireguard", "ovpn", "ipip", "sit", "gre", "gretap", "ip6tnl", "ip6gre", "ip6gretap", "vti", "vti6",
        "xfrm", "l2tp", "vxlan", "geneve",
    ]
}
