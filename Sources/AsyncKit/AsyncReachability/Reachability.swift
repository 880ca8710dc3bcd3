/// How this machine reaches the Internet at one moment, as one value that cannot be torn.
///
/// "Reachable" means that the kernel has a usable route, a link with carrier under it and a source address. It
/// does not mean that a server answers: no packet is sent to find out.
///
/// Whether the network is metered is not part of this value: the kernel does not know it.
public struct Reachability: Sendable, Hashable {
    /// The way out, or the reason why there is none.
    public let path: NetworkPath

    /// Counts the networks this machine has been on, so that "same mode, other network" is visible.
    ///
    /// 0 until the first network is found. It grows by one when a way out is found after there was none, and
    /// when any part of a ``NetworkRoute`` changes: another interface, address, gateway or mode. While a
    /// network is lost it stays. Two reachable values with the same generation are therefore the same network
    /// without an interruption that was seen; one that was over before the kernel was asked is not seen.
    public let generation: Int

    /// Makes a value, for tests and previews.
    ///
    /// - Parameters:
    ///   - path: The way out, or why there is none.
    ///   - generation: How many networks there have been.
    public init(path: NetworkPath, generation: Int) {
        self.path = path
        self.generation = generation
    }

    /// True when the kernel has a way out, for IPv4 or for IPv6.
    public var isReachable: Bool { route != nil }

    /// The kind of link; `none` exactly when ``isReachable`` is false.
    public var mode: ConnectionMode { route?.mode ?? .none }

    /// True when the traffic enters a tunnel interface (WireGuard, tun, IPsec, GRE and their like).
    ///
    /// A line over PPP is not counted: it is as often the line itself as a tunnel.
    public var vpn: Bool { route?.vpn ?? false }

    /// The interface the route leads through, such as `eth0`; `nil` when nothing is reachable.
    public var interface: String? { route?.interface }

    /// The address the kernel would give to a new connection, such as `192.0.2.17`; `nil` when nothing is reachable.
    ///
    /// It is that of IPv4 when both families work, because the temporary addresses of IPv6 come and go.
    public var localAddress: String? { route?.localAddress }

    /// Why nothing is reachable; `nil` when something is.
    public var reason: UnreachableReason? {
        if case .unreachable(let reason) = path { reason } else { nil }
    }

    private var route: NetworkRoute? {
        if case .reachable(let route) = path { route } else { nil }
    }
}

extension Reachability: CustomStringConvertible {
    /// One line for logs, such as `wired via eth0 from 192.0.2.17`.
    public var description: String {
        switch path {
        case .reachable(let route): route.description
        case .unreachable(let reason): "none: \(reason)"
        }
    }
}
