/// Where a ``ReachabilityMonitor`` looks for a way to.
public enum NetworkTarget: Sendable, Hashable {
    /// The Internet: any address far away, of either family.
    case internet
    /// One host, near or far.
    case host(Host)
}

extension NetworkTarget: CustomStringConvertible {
    /// `Internet`, or the name of the host.
    public var description: String {
        switch self {
        case .internet: "Internet"
        case .host(let host): host.description
        }
    }
}
