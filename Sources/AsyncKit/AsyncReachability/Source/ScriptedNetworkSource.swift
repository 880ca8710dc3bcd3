internal import AsyncPrimitives

/// A network that does what a test says.
///
/// ```swift
/// let network = ScriptedNetworkSource(.unreachable(.noLink))
/// let monitor = ReachabilityMonitor(source: network)
/// network.set(.reachable(NetworkRoute(mode: .wifi, interface: "wlan0", localAddress: "192.0.2.7")))
/// ```
///
/// Every target has the same path until one is set for it. Memory: one entry for each target that was ever watched.
public final class ScriptedNetworkSource: NetworkSource {
    private struct Script: Sendable {
        var general: NetworkPath
        var special: Set<NetworkTarget> = []
        var states: [NetworkTarget: State<NetworkPath>] = [:]
    }

    private let script: Lock<Script>

    /// Makes a network that is in a given condition.
    ///
    /// - Parameter initial: What monitors find first.
    public init(_ initial: NetworkPath) {
        script = Lock(Script(general: initial))
    }

    /// The current path and each change; a slow reader sees the latest only.
    ///
    /// - Parameter target: Whose path.
    /// - Returns: A stream for one reader.
    public func paths(to target: NetworkTarget) -> AsyncStream<NetworkPath> {
        state(of: target).stream
    }

    /// How many watches are open, to prove that monitors let go.
    public var watchCount: Int {
        script.withLock { Array($0.states.values) }.reduce(0) { $0 + $1.subscriberCount }
    }

    /// Changes the network for every target that has no path of its own.
    ///
    /// Returns at once, from any thread; monitors hear of it a moment later.
    ///
    /// - Parameter path: What the network is from now on.
    public func set(_ path: NetworkPath) {
        let states = script.withLock { script in
            script.general = path
            return script.states.filter { !script.special.contains($0.key) }.map(\.value)
        }
        for state in states { state.set(path) }
    }

    /// Changes the path to one target.
    ///
    /// - Parameters:
    ///   - path: What it is from now on.
    ///   - target: Whose path.
    public func set(_ path: NetworkPath, for target: NetworkTarget) {
        script.withLock { _ = $0.special.insert(target) }
        state(of: target).set(path)
    }

    private func state(of target: NetworkTarget) -> State<NetworkPath> {
        script.withLock { script in
            if let state = script.states[target] { return state }
            let state = State(script.general)
            script.states[target] = state
            return state
        }
    }
}
