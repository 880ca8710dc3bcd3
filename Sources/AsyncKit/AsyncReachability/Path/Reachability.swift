/// How this machine reaches a target at one moment, as one value that cannot be torn.
///
/// "Reachable" means that the kernel has a usable route, a link with carrier under it and a source address. It
/// does not mean that a server answers: no packet is sent to find out, unless the monitor has a
/// ``ReachabilityProbe``.
public struct Reachability: Sendable, Hashable {
    /// The way there, or the reason why there is none, as the ``NetworkSource`` says.
    public let path: NetworkPath

    /// What the monitor's ``ReachabilityProbe`` says about this network.
    public let validation: Validation

    /// Whether traffic costs something: the word of the ``MeteredSource`` if there is one, or a guess.
    public let metered: Metered

    /// Counts the networks this machine has been on, so that "same mode, other network" is visible.
    ///
    /// 0 until the first network is found. It grows by one when a way is found after there was none, when any part
    /// of a ``NetworkRoute`` changes (another interface, address, gateway or mode) and when the machine wakes from
    /// suspend. While a network is lost it stays. Two reachable values with the same generation are therefore the
    /// same network without an interruption that was seen; one that was over before the kernel was asked is not
    /// seen.
    public let generation: Int

    /// Makes a value, for tests and previews.
    ///
    /// - Parameters:
    ///   - path: The way there, or why there is none.
    ///   - validation: What a probe says.
    ///   - metered: Whether traffic costs something; `nil` takes the guess of the route.
    ///   - generation: How many networks there have been.
    public init(
        path: NetworkPath,
        validation: Validation = .none,
        metered: Metered? = nil,
        generation: Int
    ) {
        self.path = path
        self.validation = validation
        self.metered = metered ?? path.route?.metered ?? .unknown
        self.generation = generation
    }

    /// True when the kernel has a way and no captive portal is known to be in it.
    public var isReachable: Bool { reason == nil }

    /// The kind of link; `none` exactly when ``isReachable`` is false.
    public var mode: ConnectionMode { isReachable ? path.route?.mode ?? .none : .none }

    /// False when nothing is known: the system does not let us look, or the task that asked was cancelled.
    ///
    /// ``isReachable`` is false then too, and means as little.
    public var isKnown: Bool { path != .unreachable(.refused) && path != .unreachable(.cancelled) }

    /// True when the traffic enters a tunnel interface (WireGuard, tun, IPsec, GRE and their like).
    ///
    /// A line over PPP is not counted: it is as often the line itself as a tunnel.
    public var vpn: Bool { path.route?.vpn ?? false }

    /// The link that carries the tunnel; `nil` without a tunnel, and when nobody can tell.
    public var underlay: NetworkRoute.Underlay? { path.route?.underlay }

    /// The interface the route leads through, such as `eth0`; `nil` when there is no route.
    ///
    /// Behind a captive portal there is one, to log in through.
    public var interface: String? { path.route?.interface }

    /// The address the kernel would give to a new connection, such as `192.0.2.17`; `nil` when there is no route.
    ///
    /// Towards the Internet it is that of IPv4 when both families work, because the temporary addresses of IPv6
    /// come and go.
    public var localAddress: String? { path.route?.localAddress }

    /// Why the target is not reachable; `nil` when it is.
    public var reason: UnreachableReason? {
        switch path {
        case .unreachable(let reason): reason
        case .reachable: validation == .done(.portal) ? .portal : nil
        }
    }
}

extension Reachability: CustomStringConvertible {
    /// One line for logs, such as `wired via eth0 from 192.0.2.17`.
    public var description: String {
        if let reason { return "none: \(reason)" }
        return path.route?.description ?? ""
    }
}
