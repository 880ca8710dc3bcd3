internal import AsyncPrimitives

/// What a monitor is made with.
struct MonitorParts: Sendable {
    var target = NetworkTarget.internet
    var source: any NetworkSource
    var meteredSource: (any MeteredSource)?
    var probe: (any ReachabilityProbe)?
    var hysteresis = Hysteresis.none
    /// What passes the time between two calls of the probe, until it is over or the task is cancelled.
    var rest: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
}

/// The inside of a monitor: its state behind a lock, and everything that is done about it.
///
/// It is no actor, so that the thread that hears from the kernel wakes the subscribers itself: a hop to an actor in
/// between would cost as much as all the questions to the kernel.
final class MonitorCore: Sendable {
    let parts: MonitorParts
    let reachabilities = State<Reachability>()
    let connectionModes = State<ConnectionMode>()
    /// The watch that what was delivered comes from; 0 after a suspension.
    let liveWatch = State(0)
    private let state: Lock<MonitorState>
    private let tasks = Lock(MonitorTasks())
    private let prober: Prober?

    init(_ parts: MonitorParts) {
        self.parts = parts
        state = Lock(MonitorState(isProbed: parts.probe != nil, hysteresis: parts.hysteresis))
        prober = parts.probe.map { Prober($0, rest: parts.rest) }
    }

    /// Ends everything for good.
    func shutDown() {
        prober?.shutDown()
        for task in tasks.withLock({ $0.shutDown() }) { task() }
    }

    /// Changes the state and does what follows from it.
    ///
    /// Effects are done one after the other and in the order of the changes, without the lock, by whoever comes
    /// first; others leave theirs to that one.
    @discardableResult
    func apply<Result>(_ change: (inout MonitorState) -> Result) -> Result {
        let (result, isMine) = state.withLock { state in
            let result = change(&state)
            defer { state.isEmptying = state.isEmptying || !state.outbox.isEmpty }
            return (result, !state.isEmptying && !state.outbox.isEmpty)
        }
        if isMine { emptyOutbox() }
        return result
    }

    private func emptyOutbox() {
        while true {
            let effects = state.withLock { state in
                defer { state.outbox = [] }
                state.isEmptying = !state.outbox.isEmpty
                return state.outbox
            }
            if effects.isEmpty { return }
            for effect in effects { perform(effect) }
        }
    }

    private func perform(_ effect: MonitorState.Effect) {
        switch effect {
        case .startWatch(let number): startWatch(number)
        case .stopWatch: replace(\.watch) { nil }
        case .deliver(let value):
            reachabilities.set(value)
            connectionModes.set(value.mode)
        case .live(let watch): liveWatch.set(watch)
        case .answer(let readers, let value):
            for reader in readers { reader.resolve(.success(value)) }
        case .hold(let end): hold(until: end)
        case .endHold: replace(\.hold) { nil }
        case .probe(let route, let generation):
            prober?.ask(about: route) { [weak self] verdict in
                self?.apply { $0.receive(verdict, about: generation, at: .now) }
            }
        case .stopProbing: prober?.stop()
        }
    }

    /// Ends what was there and puts another in its place.
    private func replace(
        _ place: WritableKeyPath<MonitorTasks, MonitorTasks.End?>,
        by start: () -> MonitorTasks.End?
    ) {
        let old = tasks.withLock { tasks in
            defer { tasks[keyPath: place] = nil }
            return tasks[keyPath: place]
        }
        old?()
        guard let new = start() else { return }
        let isKept = tasks.withLock { tasks in
            if !tasks.isShutDown { tasks[keyPath: place] = new }
            return !tasks.isShutDown
        }
        if !isKept { new() }
    }
}

/// What a monitor has running.
struct MonitorTasks {
    /// Ends it; does not wait for that.
    typealias End = @Sendable () -> Void

    var watch: End?
    var hold: End?
    private(set) var isShutDown = false

    mutating func shutDown() -> [End] {
        isShutDown = true
        defer { (watch, hold) = (nil, nil) }
        return [watch, hold].compactMap { $0 }
    }
}

extension MonitorCore {
    private func startWatch(_ number: Int) {
        replace(\.watch) { [parts] in
            let network = watchNetwork(number)
            guard let meteredSource = parts.meteredSource else { return network }
            let metering = Task { [weak self] in
                for await answer in meteredSource.answers {
                    self?.apply { $0.receive(answer, from: number, at: .now) }
                }
            }
            return {
                network()
                metering.cancel()
            }
        }
    }

    private func watchNetwork(_ number: Int) -> MonitorTasks.End {
        if let source = parts.source as? any DirectNetworkSource {
            return source.watch(parts.target) { [weak self] path in
                self?.apply { $0.receive(path, from: number, at: .now) }
            }
        }
        let watch = Task { [weak self, parts] in
            for await path in parts.source.paths(to: parts.target) {
                self?.apply { $0.receive(path, from: number, at: .now) }
            }
            self?.apply { $0.sourceEnded(number, at: .now) }
        }
        return { watch.cancel() }
    }

    private func hold(until end: ContinuousClock.Instant) {
        replace(\.hold) {
            let task = Task { [weak self] in
                try? await Task.sleep(until: end, clock: .continuous)
                if !Task.isCancelled { self?.apply { $0.holdEnded(at: .now) } }
            }
            return { task.cancel() }
        }
    }
}
