internal import AsyncPrimitives

/// A network that does what a test says.
///
/// ```swift
/// let network = ScriptedNetworkSource(.unreachable(.noLink))
/// let monitor = ReachabilityMonitor(source: network)
/// network.set(.reachable(NetworkRoute(mode: .wifi, interface: "wlan0", localAddress: "192.0.2.7")))
/// ```
public final class ScriptedNetworkSource: NetworkSource {
    private let state: State<NetworkPath>

    /// Makes a network that is in a given condition.
    ///
    /// - Parameter initial: What monitors find first.
    public init(_ initial: NetworkPath) {
        state = State(initial)
    }

    /// The current path and each change; a slow reader sees the latest only.
    public var paths: AsyncStream<NetworkPath> { state.stream }

    /// How many watches are open, to prove that monitors let go.
    public var watchCount: Int { state.subscriberCount }

    /// Changes the network.
    ///
    /// Returns at once, from any thread; monitors hear of it a moment later.
    ///
    /// - Parameter path: What the network is from now on.
    public func set(_ path: NetworkPath) {
        state.set(path)
    }
}
