/// Decides when to ask the kernel again: at once after a change, but not faster than every few milliseconds.
///
/// A storm of events, such as a full routing table being loaded, then costs a bounded share of a core. While
/// it waits for its turn the reader keeps emptying the queue. Pure.
struct ResyncPace {
    static let shortestGap: Duration = .milliseconds(2)

    private var isDirty = false
    private var earliest: ContinuousClock.Instant?
    private var backoff = Backoff(limit: .seconds(30))

    /// Notes that something changed.
    mutating func mark() {
        isDirty = true
    }

    /// Notes that the kernel has been asked; if it did not answer, it is asked again without an event.
    mutating func done(at now: ContinuousClock.Instant, answered: Bool) {
        isDirty = !answered
        if answered { backoff.reset() }
        earliest = now + (answered ? Self.shortestGap : backoff.pause())
    }

    func isDue(at now: ContinuousClock.Instant) -> Bool {
        isDirty && earliest.map { now >= $0 } ?? isDirty
    }

    /// When it is due; `nil` is never, the rule when nothing happens.
    func due(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        isDirty ? earliest ?? now : nil
    }
}
