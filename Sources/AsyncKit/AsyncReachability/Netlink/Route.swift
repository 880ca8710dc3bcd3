internal import CLinux

/// A route as the kernel describes it (`RTM_NEWROUTE`).
struct Route: Hashable, Sendable {
    var type: UInt8 = UInt8(RTN_UNICAST)
    var flags: UInt32 = 0
    var interfaceIndex: Int32?
    var source: IPAddress?
    var gateway: IPAddress?
    /// Smaller goes first.
    var metric: UInt32 = 0
    /// The next hops of a route that has several, empty otherwise.
    var nextHops: [NextHop] = []

    struct NextHop: Hashable, Sendable {
        var interfaceIndex: Int32
        var isAlive = true
    }

    /// An ordinary route whose next hop is not known to be dead or without carrier.
    var isAlive: Bool { flags & UInt32(RTNH_F_DEAD | RTNH_F_LINKDOWN) == 0 }
}

extension Route {
    /// Reads an `RTM_NEWROUTE`; `nil` when it is too short or something else.
    init?(_ message: NetlinkMessage) {
        guard message.type == UInt16(RTM_NEWROUTE),
            let type = message.payload.integer(at: 7, as: UInt8.self),
            let flags = message.payload.integer(at: 8, as: UInt32.self)
        else { return nil }
        self.init(type: type, flags: flags)
        for (attribute, value) in message.attributes(after: 12) {
            switch attribute {
            case Int(RTA_OIF.rawValue): interfaceIndex = value.integer()
            case Int(RTA_PREFSRC.rawValue): source = IPAddress(value.array)
            case Int(RTA_GATEWAY.rawValue): gateway = IPAddress(value.array)
            case Int(RTA_VIA.rawValue): gateway = Self.via(value)
            case Int(RTA_PRIORITY.rawValue): metric = value.integer() ?? 0
            case Int(RTA_MULTIPATH.rawValue): nextHops = Self.nextHops(in: value)
            default: break
            }
        }
    }

    /// A list of `rtnexthop`; ends before the first that does not fit.
    private static func nextHops(in list: ByteView) -> [NextHop] {
        var hops: [NextHop] = []
        var rest = list
        while let length = rest.integer(at: 0, as: UInt16.self), length >= 8,
            rest.view(from: 0, to: Int(length)) != nil,
            let flags = rest.integer(at: 2, as: UInt8.self),
            let index = rest.integer(at: 4, as: Int32.self)
        {
            let isDead = UInt32(flags) & UInt32(RTNH_F_DEAD | RTNH_F_LINKDOWN) != 0
            hops.append(NextHop(interfaceIndex: index, isAlive: !isDead))
            rest = rest.view(from: (Int(length) + 3) & ~3) ?? ByteView([])
        }
        return hops
    }

    /// An `rtvia`: the next hop of a route whose gateway is of the other family.
    private static func via(_ value: ByteView) -> IPAddress? {
        value.view(from: 2).flatMap { IPAddress($0.array) }
    }
}

/// An address of an interface (`RTM_NEWADDR`).
struct InterfaceAddress: Hashable, Sendable {
    var interfaceIndex: Int32
    var address: IPAddress
    var flags: UInt32 = 0

    /// An address still under, or failed in, duplicate detection cannot be bound; a link-local IPv6 one
    /// reaches no further than the link.
    var isUsable: Bool {
        flags & UInt32(IFA_F_TENTATIVE | IFA_F_DADFAILED) == 0 && !address.isIPv6LinkLocal
    }
}

extension InterfaceAddress {
    /// Reads an `RTM_NEWADDR`; `nil` when it is too short or has no address.
    init?(_ message: NetlinkMessage) {
        guard message.type == UInt16(RTM_NEWADDR),
            let shortFlags = message.payload.integer(at: 2, as: UInt8.self),
            let index = message.payload.integer(at: 4, as: Int32.self)
        else { return nil }
        var flags = UInt32(shortFlags)
        var local: IPAddress?
        var peer: IPAddress?
        for (attribute, value) in message.attributes(after: 8) {
            switch attribute {
            case Int(IFA_LOCAL): local = IPAddress(value.array)
            case Int(IFA_ADDRESS): peer = IPAddress(value.array)
            case Int(IFA_FLAGS): flags = value.integer() ?? flags
            default: break
            }
        }
        // On a point-to-point link IFA_ADDRESS is the other end.
        guard let address = local ?? peer else { return nil }
        self.init(interfaceIndex: index, address: address, flags: flags)
    }
}
