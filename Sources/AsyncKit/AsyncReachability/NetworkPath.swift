/// What a ``NetworkSource`` says: the way to the Internet, or why there is none.
public enum NetworkPath: Sendable, Hashable {
    /// The Internet can be reached through this route.
    case reachable(NetworkRoute)
    /// It cannot.
    case unreachable(UnreachableReason)
}

/// A way to the Internet: the link, and the addresses at both of its ends.
public struct NetworkRoute: Sendable, Hashable {
    /// The kind of link, never `none`.
    public let mode: ConnectionMode
    /// The name of the interface, such as `wlan0`.
    public let interface: String
    /// The address a new connection would come from.
    public let localAddress: String
    /// The next hop; `nil` on a link that needs none, such as a tunnel.
    public let gateway: String?
    /// True when the interface is the mouth of a tunnel.
    public let vpn: Bool

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - mode: The kind of link. `none` is a mistake and stops the program: say
    ///     ``NetworkPath/unreachable(_:)`` instead.
    ///   - interface: The name of the interface.
    ///   - localAddress: The address a new connection would come from.
    ///   - gateway: The next hop, if there is one.
    ///   - vpn: True when the interface is the mouth of a tunnel.
    ///   - file: The caller's file, for the message about a mistake.
    ///   - line: The caller's line.
    public init(
        mode: ConnectionMode,
        interface: String,
        localAddress: String,
        gateway: String? = nil,
        vpn: Bool = false,
        file: StaticString = #file,
        line: UInt = #line
    ) {
        precondition(
            mode != .none,
            "A route has a mode; use NetworkPath.unreachable for the lack of one.",
            file: file,
            line: line
        )
        self.mode = mode
        self.interface = interface
        self.localAddress = localAddress
        self.gateway = gateway
        self.vpn = vpn
    }
}

extension NetworkRoute: CustomStringConvertible {
    /// One line for logs, such as `other via wg0 from 10.8.0.2 (vpn)`.
    public var description: String {
        "\(mode) via \(interface) from \(localAddress)\(vpn ? " (vpn)" : "")"
    }
}

/// Why the Internet cannot be reached.
public enum UnreachableReason: Sendable, Hashable, CaseIterable {
    /// No link is up and has carrier: plug in the cable, or join a wireless network.
    case noLink
    /// A link is up but has no address to send from: wait for DHCP or router advertisement, or set one.
    case noAddress
    /// There are links and addresses but no route to the Internet: set a default route.
    case noRoute
    /// A route or rule forbids it (types prohibit, blackhole and unreachable), as a VPN's kill switch does.
    case prohibited
    /// The system does not answer: a sandbox or the lack of descriptors or memory keeps netlink closed.
    ///
    /// Nothing is known about the network then, and nothing is claimed.
    case refused
}

extension UnreachableReason: CustomStringConvertible {
    /// One plain sentence that says what to do.
    public var description: String {
        switch self {
        case .noLink: "no link has carrier; plug in a cable or join a network"
        case .noAddress: "the link has no usable address; wait for one or set one"
        case .noRoute: "there is no route to the Internet; set a default route"
        case .prohibited: "a route or rule forbids the traffic; look at ip rule and ip route"
        case .refused: "the system does not answer netlink requests; allow AF_NETLINK sockets"
        }
    }
}
