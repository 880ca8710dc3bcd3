internal import AsyncPrimitives

/// What a monitor knows and decides; pure: what is to be done about it is left in ``outbox``, in order.
struct MonitorState {
    enum Effect: Sendable {
        case startWatch(Int)
        case stopWatch
        case deliver(Reachability)
        /// What is delivered comes from this watch from now on; 0 is none.
        case live(Int)
        case answer([OneShot<Reachability>], Reachability)
        /// Call ``MonitorState/holdEnded(at:)`` at that time.
        case hold(until: ContinuousClock.Instant)
        case endHold
        case probe(NetworkRoute, generation: Int)
        case stopProbing
    }

    var outbox: [Effect] = []
    /// True while somebody empties the outbox: what is put in meanwhile is for them to do.
    var isEmptying = false

    /// The watch that what is delivered comes from; 0 while there is none.
    private(set) var liveWatch = 0
    private let isProbed: Bool
    private var history = PathHistory()
    private var gate = WatchGate()
    private var damper = Damper()
    private var readers: [WaiterID: OneShot<Reachability>] = [:]

    init(isProbed: Bool, hysteresis: Hysteresis) {
        self.isProbed = isProbed
        damper.hysteresis = hysteresis
    }

    var hysteresis: Hysteresis { damper.hysteresis }
    var generation: Int { history.latest?.generation ?? 0 }
}

/// What users of the monitor do.
extension MonitorState {
    mutating func subscribe() {
        take(gate.subscribe())
    }

    /// What is known now; otherwise the reader is given the answer when it comes.
    mutating func read(as id: WaiterID, _ reader: OneShot<Reachability>) -> Reachability? {
        take(gate.read())
        if gate.hasAnswer, let latest = history.latest { return latest }
        readers[id] = reader
        return nil
    }

    mutating func forget(_ id: WaiterID) {
        readers[id] = nil
    }

    mutating func suspend() {
        take(gate.suspend())
        damper.forget()
        liveWatch = 0
        outbox += [.endHold, .live(0)]
    }

    mutating func resume() {
        take(gate.resume())
    }

    mutating func set(_ hysteresis: Hysteresis, at now: ContinuousClock.Instant) {
        damper.hysteresis = hysteresis
        take(damper.expire(at: now))
    }
}

/// What the sources, the probe and the clock say.
extension MonitorState {
    mutating func receive(_ path: NetworkPath, from number: Int, at now: ContinuousClock.Instant) {
        let isFirst = !gate.hasAnswer
        guard let verdict = gate.receive(from: number) else { return }
        let isNew = history.record(path, isFirst: isFirst, isProbed: isProbed)
        if verdict.publishes {
            publish(at: now)
            if liveWatch != number {
                liveWatch = number
                outbox.append(.live(number))
            }
        }
        answerReaders()
        take(verdict.action)
        if isProbed, isNew || isFirst || path.route == nil { probeNetwork() }
    }

    /// A source that ends without a word must not keep a reader waiting.
    mutating func sourceEnded(_ number: Int, at now: ContinuousClock.Instant) {
        if gate.isWaiting(for: number) { receive(.unreachable(.refused), from: number, at: now) }
    }

    mutating func receive(_ answer: Metered, from number: Int, at now: ContinuousClock.Instant) {
        guard gate.isCurrent(number) else { return }
        history.record(answer)
        if gate.hasAnswer, !gate.isSuspended { publish(at: now) }
    }

    mutating func receive(_ verdict: ProbeVerdict, about generation: Int, at now: ContinuousClock.Instant) {
        if history.record(verdict, about: generation), !gate.isSuspended { publish(at: now) }
    }

    mutating func holdEnded(at now: ContinuousClock.Instant) {
        take(damper.expire(at: now))
    }
}

extension MonitorState {
    private mutating func publish(at now: ContinuousClock.Instant) {
        if let latest = history.latest { take(damper.offer(latest, at: now)) }
    }

    private mutating func answerReaders() {
        guard !readers.isEmpty, let latest = history.latest else { return }
        outbox.append(.answer(Array(readers.values), latest))
        readers = [:]
    }

    private mutating func probeNetwork() {
        guard gate.isWatching, let latest = history.latest, let route = latest.path.route else {
            return outbox.append(.stopProbing)
        }
        outbox.append(.probe(route, generation: latest.generation))
    }

    private mutating func take(_ action: WatchGate.Action) {
        switch action {
        case .nothing: break
        case .start(let number): outbox.append(.startWatch(number))
        case .stop: outbox += [.stopWatch, .stopProbing]
        }
    }

    private mutating func take(_ action: Damper.Action) {
        switch action {
        case .nothing: outbox.append(.endHold)
        case .deliver(let value): outbox += [.endHold, .deliver(value)]
        case .wait(let end): outbox.append(.hold(until: end))
        }
    }
}
