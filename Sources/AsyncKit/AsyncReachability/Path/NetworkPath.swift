/// What a ``NetworkSource`` says: the way to the target, or why there is none.
public enum NetworkPath: Sendable, Hashable {
    /// The target can be reached through this route.
    case reachable(NetworkRoute)
    /// It cannot, or nothing is known.
    case unreachable(UnreachableReason)
}

extension NetworkPath {
    /// The way, if there is one.
    var route: NetworkRoute? {
        if case .reachable(let route) = self { route } else { nil }
    }
}
