internal import AsyncPrimitives

/// Tells how this machine reaches the Internet or a host, and when that changes.
///
/// ```swift
/// let monitor = ReachabilityMonitor.shared
/// print(await monitor.current)                    // wired via eth0 from 192.0.2.17
/// for await mode in monitor.modes where mode != .none {
///     print("online by \(mode)")
/// }
/// ```
///
/// Making a monitor does no work. It starts to watch when it is first asked or iterated, and stops when the
/// monitor and all its streams are released, or while it is suspended. All subscribers share one watch, and all
/// monitors of one ``NetworkSource`` its thread.
///
/// A network that cannot be looked at is no error but ``UnreachableReason/refused``. Every method can be called from
/// any task; the kernel and name servers are asked on threads of the source, never on the cooperative pool.
public actor ReachabilityMonitor {
    /// The monitor of the way to the Internet, for everybody who needs no other.
    ///
    /// Once in use it keeps watching until it is suspended; that costs one sleeping thread.
    public static let shared = ReachabilityMonitor()

    private static let monitors = SharedInstances<Host, ReachabilityMonitor>()

    /// The monitor of the way to a host, the identical one for everybody who asks for an equal host.
    ///
    /// It is released, and stops to watch, with its last user; a stream is one. A host name is looked up when the
    /// monitor starts and when the network has changed.
    ///
    /// ```swift
    /// let monitor = ReachabilityMonitor.monitor(for: try Host("example.org"))
    /// print(await monitor.current.localAddress ?? "no way")
    /// ```
    ///
    /// - Parameter host: Where the way shall lead to.
    /// - Returns: The monitor, which has not started when nobody uses it.
    public static func monitor(for host: Host) -> ReachabilityMonitor {
        monitors.instance(for: host) { ReachabilityMonitor(of: .host(host)) }
    }

    /// What the way leads to.
    public nonisolated var target: NetworkTarget { core.parts.target }

    nonisolated let core: MonitorCore

    /// Makes a monitor that has not started to watch.
    ///
    /// - Parameters:
    ///   - target: What the way leads to; the Internet unless you say otherwise.
    ///   - source: Where to learn about the network; the kernel unless you say otherwise.
    ///   - meteredSource: Who knows whether the network is metered; without one there are only guesses.
    ///   - probe: Who finds out whether the Internet really answers; without one, no packet is ever sent.
    ///   - hysteresis: How long a change must last before streams deliver it; not at all unless you say otherwise.
    public init(
        of target: NetworkTarget = .internet,
        source: any NetworkSource = KernelNetworkSource.shared,
        meteredSource: (any MeteredSource)? = nil,
        probe: (any ReachabilityProbe)? = nil,
        hysteresis: Hysteresis = .none
    ) {
        self.init(
            MonitorParts(
                target: target,
                source: source,
                meteredSource: meteredSource,
                probe: probe,
                hysteresis: hysteresis
            )
        )
    }

    init(_ parts: MonitorParts) {
        core = MonitorCore(parts)
    }

    deinit {
        core.shutDown()
    }

    /// How the target is reached now; never a placeholder, and never held back by the hysteresis.
    ///
    /// While the monitor watches, this is what it knows. The first read, and any read while suspended, waits
    /// until the source has answered: with the kernel well below a millisecond, for a host name as long as its
    /// lookup takes (``KernelNetworkSource`` ends that after five seconds). When the task is cancelled while it
    /// waits, the reason is ``UnreachableReason/cancelled``.
    public nonisolated var current: Reachability {
        get async {
            let (id, answer) = (WaiterID(), OneShot<Reachability>())
            if let latest = core.apply({ $0.read(as: id, answer) }) { return latest }
            if let latest = try? await answer.value() { return latest }
            let generation = core.apply { state in
                state.forget(id)
                return state.generation
            }
            return Reachability(path: .unreachable(.cancelled), generation: generation)
        }
    }

    /// Stops to watch and to deliver; costs nothing until ``resume()``.
    ///
    /// Streams stay open and silent. One opened now begins with what was delivered last, or waits if there is
    /// nothing yet. Suspending twice is like suspending once.
    public func suspend() {
        core.apply { $0.suspend() }
    }

    /// Watches again and delivers the latest state: one element, or none if nothing changed meanwhile.
    ///
    /// Resuming a monitor that is not suspended does nothing.
    public func resume() {
        core.apply { $0.resume() }
    }

    /// How long a change must last before streams deliver it.
    public var hysteresis: Hysteresis { core.apply { $0.hysteresis } }

    /// Sets how long a change must last before streams deliver it, also for what is held back now.
    ///
    /// It counts for everybody who uses this monitor; make one of your own to have your own.
    ///
    /// - Parameter hysteresis: The limits from now on.
    public func setHysteresis(_ hysteresis: Hysteresis) {
        core.apply { $0.set(hysteresis, at: .now) }
    }
}
