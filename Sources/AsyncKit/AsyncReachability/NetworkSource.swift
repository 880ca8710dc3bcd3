/// Where a ``ReachabilityMonitor`` learns about the network: the kernel, or a script in a test.
public protocol NetworkSource: Sendable {
    /// The path at this moment and then every later one, a new watch at each access.
    ///
    /// The first element must come soon and without outside help, because ``ReachabilityMonitor/current`` waits
    /// for it. A source that cannot tell says ``UnreachableReason/refused``. Elements that were replaced before
    /// they were read may be dropped. When the stream is cancelled or released, the watch must end and give
    /// back its threads and descriptors. A stream that finishes leaves its last element in force.
    var paths: AsyncStream<NetworkPath> { get }
}
