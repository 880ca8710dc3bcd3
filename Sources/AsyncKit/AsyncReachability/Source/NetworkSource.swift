/// Where a ``ReachabilityMonitor`` learns about the network: the kernel, or a script in a test.
public protocol NetworkSource: Sendable {
    /// The path to a target at this moment and then every later one, a new watch at each call.
    ///
    /// The first element must come soon and without outside help, because ``ReachabilityMonitor/current`` waits for
    /// it. A source that cannot tell says ``UnreachableReason/refused``. Elements that were replaced before they
    /// were read may be dropped. An element that equals the one before it says that the network was interrupted in
    /// a way that cannot be seen otherwise: the machine was suspended. When the stream is cancelled or released,
    /// the watch must end and give back its threads and descriptors. A stream that finishes leaves its last element
    /// in force.
    ///
    /// - Parameter target: Where the path shall lead to.
    /// - Returns: A stream for one reader.
    func paths(to target: NetworkTarget) -> AsyncStream<NetworkPath>
}
