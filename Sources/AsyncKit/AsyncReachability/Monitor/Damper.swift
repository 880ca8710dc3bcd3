/// Holds changes back for as long as the hysteresis says; pure.
struct Damper {
    enum Action: Equatable {
        case nothing
        case deliver(Reachability)
        /// Nothing now; ask ``Damper/expire(at:)`` at that time.
        case wait(until: ContinuousClock.Instant)
    }

    var hysteresis = Hysteresis.none
    private var delivered: Reachability?
    private var held: (value: Reachability, since: ContinuousClock.Instant)?

    /// Takes in the latest value.
    mutating func offer(_ value: Reachability, at now: ContinuousClock.Instant) -> Action {
        guard let delivered, delivered.isReachable != value.isReachable else { return deliver(value) }
        held = (value, held?.since ?? now)
        return expire(at: now)
    }

    /// Looks whether what is held back has lasted long enough.
    mutating func expire(at now: ContinuousClock.Instant) -> Action {
        guard let held else { return .nothing }
        let end = held.since + (held.value.isReachable ? hysteresis.up : hysteresis.down)
        return now >= end ? deliver(held.value) : .wait(until: end)
    }

    /// Forgets what is held back: nobody listens, and what comes next will be later news.
    mutating func forget() {
        held = nil
    }

    private mutating func deliver(_ value: Reachability) -> Action {
        held = nil
        delivered = value
        return .deliver(value)
    }
}
