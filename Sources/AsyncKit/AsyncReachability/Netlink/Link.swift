internal import CLinux

/// A network interface as the kernel describes it (`RTM_NEWLINK`).
struct Link: Hashable, Sendable {
    var index: Int32
    var name: String
    /// The hardware type (`ARPHRD_…`).
    var type: UInt16 = 1
    var flags: UInt32 = Flag.up | Flag.carrier
    /// The driver's own word for what this is, such as `bridge`; hardware has none.
    var kind: String?
    /// The bridge or bond this link is a member of.
    var master: Int32?
    /// The link below a VLAN or macvlan, when it is in the same namespace.
    var lower: Int32?
    var operationalState: UInt8 = 0

    /// Interface flags (netdevice(7)); the C header that has all of them clashes with glibc's.
    enum Flag {
        static let up: UInt32 = 0x1
        static let carrier: UInt32 = 0x1_0000
        static let dormant: UInt32 = 0x2_0000
    }

    var isLoopback: Bool { type == 772 }

    /// Up, with carrier, and past authentication.
    ///
    /// State 0, unknown, is what tunnels and old drivers always report; 6 is up (RFC 2863).
    var isUsable: Bool {
        flags & Flag.up != 0 && flags & Flag.carrier != 0 && flags & Flag.dormant == 0
            && (operationalState == 0 || operationalState == 6)
    }
}

extension Link {
    /// Reads an `RTM_NEWLINK`; `nil` when it is too short, nameless, or about a bridge port.
    ///
    /// A message of family AF_BRIDGE tells that a link joined or left a bridge: it is not about the link itself.
    init?(_ message: NetlinkMessage) {
        guard message.type == UInt16(RTM_NEWLINK),
            message.payload.integer(at: 0, as: UInt8.self) == UInt8(AF_UNSPEC),
            let type = message.payload.integer(at: 2, as: UInt16.self),
            let index = message.payload.integer(at: 4, as: Int32.self),
            let flags = message.payload.integer(at: 8, as: UInt32.self)
        else { return nil }
        self.init(index: index, name: "", type: type, flags: flags)
        var isLowerElsewhere = false
        for (attribute, value) in message.attributes(after: 16) {
            if attribute == Int(IFLA_LINK_NETNSID) { isLowerElsewhere = true }
            read(attribute, value)
        }
        if isLowerElsewhere { lower = nil }
        guard !name.isEmpty else { return nil }
    }

    private mutating func read(_ attribute: Int, _ value: ByteView) {
        switch attribute {
        case Int(IFLA_IFNAME): name = value.text
        case Int(IFLA_LINKINFO): kind = Self.kind(in: value)
        case Int(IFLA_MASTER): master = value.integer()
        case Int(IFLA_LINK): lower = value.integer()
        case Int(IFLA_OPERSTATE): operationalState = value.integer() ?? 0
        default: break
        }
    }

    private static func kind(in info: ByteView) -> String? {
        NetlinkAttributes(info).first { $0.type == Int(IFLA_INFO_KIND) }?.value.text
    }
}
