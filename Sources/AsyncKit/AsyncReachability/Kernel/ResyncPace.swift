/// Decides when to ask the kernel again: at once after a change, but not faster than every few milliseconds.
///
/// A storm of events, such as a full routing table being loaded, then costs a bounded share of a core. While
/// it waits for its turn the reader keeps emptying the queue. Pure.
struct ResyncPace {
    static let shortestGap: Duration = .milliseconds(2)
    static let retryGap: Duration = .seconds(1)

    private var isDirty = false
    private var earliest: ContinuousClock.Instant?

    /// Notes that something changed.
    mutating func mark() {
        isDirty = true
    }

    /// Notes that the kernel has been asked; if it did not answer, it is asked again without an event.
    mutating func done(at now: ContinuousClock.Instant, answered: Bool) {
        isDirty = !answered
        earliest = now + (answered ? Self.shortestGap : Self.retryGap)
    }

    func isDue(at now: ContinuousClock.Instant) -> Bool {
        isDirty && earliest.map { now >= $0 } ?? isDirty
    }

    /// How long the reader may sleep; `nil` is for ever, the rule when nothing happens.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard isDirty else { return nil }
        return earliest.map { max(.zero, $0 - now) } ?? .zero
    }

    /// As poll(2) wants it: rounded up, so as not to come too early and spin.
    static func milliseconds(_ duration: Duration?) -> Int32 {
        guard let duration else { return -1 }
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
