/// Why a target cannot be reached.
public enum UnreachableReason: String, Sendable, Hashable, CaseIterable {
    /// No link is up and has carrier: plug in the cable, or join a wireless network.
    ///
    /// Also said when all that is left is a tunnel, whose packets have no link to leave by.
    case noLink = "no-link"
    /// A link is up but has no address to send from: wait for DHCP or router advertisement, or set one.
    case noAddress = "no-address"
    /// There are links and addresses but no route to the target: set one.
    case noRoute = "no-route"
    /// A route (of type prohibit, blackhole or unreachable) or a rule (prohibit or blackhole) forbids it, as a VPN's
    /// kill switch does.
    ///
    /// For a rule of type unreachable the kernel gives the answer of a missing route, so that is ``noRoute``.
    case prohibited
    /// There is a network, but no name server knows the host, or none answers.
    case nameNotResolved = "name-not-resolved"
    /// A captive portal stands in the way: log in with a browser. Found by a ``ReachabilityProbe`` only.
    case portal
    /// The system does not answer: a sandbox or the lack of descriptors or memory keeps netlink closed.
    ///
    /// Nothing is known about the network then, and nothing is claimed.
    case refused
    /// The task that asked was cancelled before the first answer came; nothing is known.
    case cancelled
}

extension UnreachableReason: CustomStringConvertible {
    /// One plain sentence that says what to do.
    public var description: String {
        switch self {
        case .noLink: "no link has carrier; plug in a cable or join a network"
        case .noAddress: "the link has no usable address; wait for one or set one"
        case .noRoute: "there is no route to the target; set a default route"
        case .prohibited: "a route or rule forbids the traffic; look at ip rule and ip route"
        case .nameNotResolved: "the name is not resolved; check its spelling and the name servers"
        case .portal: "a captive portal is in the way; log in with a browser"
        case .refused: "the system does not answer netlink requests; allow AF_NETLINK sockets"
        case .cancelled: "the task was cancelled before the answer came; ask again"
        }
    }
}
