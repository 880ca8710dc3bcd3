/// A way to a target: the link, and the addresses at both of its ends.
public struct NetworkRoute: Sendable, Hashable {
    /// The kind of link, never `none`; for a tunnel that of the link below it, if that is known.
    public let mode: ConnectionMode
    /// The name of the interface, such as `wlan0`.
    public let interface: String
    /// The address a new connection would come from.
    public let localAddress: String
    /// The next hop; `nil` on a link that needs none, such as a tunnel.
    public let gateway: String?
    /// True when the interface is the mouth of a tunnel.
    public let vpn: Bool
    /// The link that carries the tunnel; `nil` without a tunnel, and when nobody can tell.
    public let underlay: Underlay?
    /// What the kind of link suggests about its cost: a guess or `unknown`.
    public let metered: Metered

    /// The link below a tunnel.
    public struct Underlay: Sendable, Hashable {
        /// The kind of link.
        public let mode: ConnectionMode
        /// The name of the interface, such as `wlan0`.
        public let interface: String

        /// Makes an underlay.
        ///
        /// - Parameters:
        ///   - mode: The kind of link.
        ///   - interface: The name of the interface.
        public init(mode: ConnectionMode, interface: String) {
            self.mode = mode
            self.interface = interface
        }
    }

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - mode: The kind of link. `none` is a mistake and stops the program: say
    ///     ``NetworkPath/unreachable(_:)`` instead.
    ///   - interface: The name of the interface.
    ///   - localAddress: The address a new connection would come from.
    ///   - gateway: The next hop, if there is one.
    ///   - vpn: True when the interface is the mouth of a tunnel.
    ///   - underlay: The link below the tunnel.
    ///   - metered: What the kind of link suggests about its cost.
    ///   - file: The caller's file, for the message about a mistake.
    ///   - line: The caller's line.
    public init(
        mode: ConnectionMode,
        interface: String,
        localAddress: String,
        gateway: String? = nil,
        vpn: Bool = false,
        underlay: Underlay? = nil,
        metered: Metered = .unknown,
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
        self.underlay = underlay
        self.metered = metered
    }
}

extension NetworkRoute: CustomStringConvertible {
    /// One line for logs, such as `wifi via wg0 over wlan0 from 10.8.0.2 (vpn)`.
    public var description: String {
        let carrier = underlay.map { " over \($0.interface)" } ?? ""
        return "\(mode) via \(interface)\(carrier) from \(localAddress)\(vpn ? " (vpn)" : "")"
    }
}
