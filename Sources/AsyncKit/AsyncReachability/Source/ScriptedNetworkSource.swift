internal import AsyncPrimitives

/// A network that does what a test says.
///
/// ```swift
/// let network = ScriptedNetworkSource(.unreachable(.noLink))
/// let monitor = ReachabilityMonitor(source: network)
/// network.set(.reachable(NetworkRoute(mode: .wifi, interface: "wlan0", localAddress: "192.0.2.7")))
/// ```
///
/// Every target has the same path until one is set for it. Memory: one entry for each target that a path was set for.
/// All methods return at once and can be called from any thread; monitors hear of it a moment later.
public final class ScriptedNetworkSource: NetworkSource {
    private struct Script: Sendable, Equatable {
        var general: NetworkPath
        var special: [NetworkTarget: NetworkPath] = [:]
        var interruptions = 0

        func word(on target: NetworkTarget) -> Word {
            Word(path: special[target] ?? general, interruptions: interruptions)
        }
    }

    /// What one target hears.
    private struct Word: Sendable, Equatable {
        let path: NetworkPath
        let interruptions: Int
    }

    private let script: State<Script>

    /// Makes a network that is in a given condition.
    ///
    /// - Parameter initial: What monitors find first.
    public init(_ initial: NetworkPath) {
        script = State(Script(general: initial))
    }

    /// The current path and each change; a slow reader sees the latest only.
    ///
    /// - Parameter target: Whose path.
    /// - Returns: A stream for one reader.
    public func paths(to target: NetworkTarget) -> AsyncStream<NetworkPath> {
        let scripts = script.stream
        let last = Lock<Word?>(nil)
        return AsyncStream(unfolding: {
            for await script in scripts {
                let word = script.word(on: target)
                let isNew = last.withLock { last in
                    defer { last = word }
                    return last != word
                }
                if isNew { return word.path }
            }
            return nil
        })
    }

    /// How many watches are open, to prove that monitors let go.
    public var watchCount: Int { script.subscriberCount }

    /// Changes the network for every target that has no path of its own.
    ///
    /// - Parameter path: What the network is from now on.
    public func set(_ path: NetworkPath) {
        script.update { $0.general = path }
    }

    /// Changes the path to one target.
    ///
    /// - Parameters:
    ///   - path: What it is from now on.
    ///   - target: Whose path.
    public func set(_ path: NetworkPath, for target: NetworkTarget) {
        script.update { $0.special[target] = path }
    }

    /// Says every path once more, as when the machine wakes from suspend: another generation of the same network.
    public func interrupt() {
        script.update { $0.interruptions += 1 }
    }
}
