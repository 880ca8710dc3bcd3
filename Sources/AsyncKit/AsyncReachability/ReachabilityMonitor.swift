internal import AsyncPrimitives

/// Tells how this machine reaches the Internet, and when that changes.
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
/// monitor and all its streams are released, or while it is suspended. All subscribers share one watch.
///
/// Nothing here fails: a network that cannot be looked at is ``UnreachableReason/refused``. Every method can be
/// called from any task; the kernel is asked on a thread of the source, never on the cooperative pool.
///
/// Not in this version: monitors for one host, damping, and whether the network is metered.
public actor ReachabilityMonitor {
    /// The monitor of this machine's network, for everybody who needs no other.
    ///
    /// Once in use it keeps watching until it is suspended; that costs one sleeping thread.
    public static let shared = ReachabilityMonitor(source: KernelNetworkSource())

    let reachabilities = State<Reachability>()
    let connectionModes = State<ConnectionMode>()
    private let source: any NetworkSource
    private var history = PathHistory()
    private var gate = WatchGate()
    private var watch: Task<Void, Never>?
    private var readers: [CheckedContinuation<Reachability, Never>] = []

    /// Makes a monitor that has not started to watch.
    ///
    /// - Parameter source: Where to learn about the network.
    public init(source: any NetworkSource) {
        self.source = source
    }

    deinit {
        watch?.cancel()
    }

    /// How the Internet is reached now; never a placeholder.
    ///
    /// While the monitor watches, this is what it knows. The first read, and any read while suspended, waits
    /// until the source has answered: with the kernel well below a millisecond. That short wait cannot fail and
    /// does not end early when the task is cancelled.
    public var current: Reachability {
        get async {
            perform(gate.read())
            if gate.hasAnswer, let latest = history.latest { return latest }
            return await withCheckedContinuation { readers.append($0) }
        }
    }

    /// Stops to watch and to deliver; costs nothing until ``resume()``.
    ///
    /// Streams stay open and silent. One opened now begins with what was delivered last, or waits if there is
    /// nothing yet. Suspending twice is like suspending once.
    public func suspend() {
        perform(gate.suspend())
    }

    /// Watches again and delivers the latest state: one element, or none if nothing changed meanwhile.
    ///
    /// Resuming a monitor that is not suspended does nothing.
    public func resume() {
        perform(gate.resume())
    }

    /// Starts the watch for somebody who iterates a stream.
    func subscribe() {
        perform(gate.subscribe())
    }

    private func perform(_ action: WatchGate.Action) {
        switch action {
        case .nothing: break
        case .start(let number): start(number)
        case .stop: stop()
        }
    }

    private func start(_ number: Int) {
        watch = Task { [weak self, source] in
            for await path in source.paths {
                await self?.receive(path, from: number)
            }
            await self?.sourceEnded(number)
        }
    }

    private func stop() {
        watch?.cancel()
        watch = nil
    }

    private func receive(_ path: NetworkPath, from number: Int) {
        guard let verdict = gate.receive(from: number) else { return }
        let latest = history.record(path)
        if verdict.publishes {
            reachabilities.set(latest)
            connectionModes.set(latest.mode)
        }
        let waiting = readers
        readers = []
        for reader in waiting { reader.resume(returning: latest) }
        perform(verdict.action)
    }

    /// A source that ends without a word must not keep a reader waiting.
    private func sourceEnded(_ number: Int) {
        if gate.isWaiting(for: number) { receive(.unreachable(.refused), from: number) }
    }
}
