extension ReachabilityMonitor {
    /// Why ``ReachabilityMonitor/waitUntilReachable(timeout:)`` did not see the target become reachable.
    public enum Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The time was over; the reason is the last that was known.
        case timedOut(UnreachableReason?)
        /// The system does not let us look, so waiting would be for nothing.
        case refused
        /// The task was cancelled.
        case cancelled

        /// One plain sentence that says what to do.
        public var description: String {
            switch self {
            case .timedOut(let reason):
                "The target did not become reachable in time: \(reason?.description ?? "nothing is known yet")."
            case .refused:
                "The network can't be looked at (netlink is refused); try the connection itself instead."
            case .cancelled:
                "The wait for the network was cancelled."
            }
        }
    }
}
