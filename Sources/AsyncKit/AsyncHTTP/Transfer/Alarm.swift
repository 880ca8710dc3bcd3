/// The next time at which a deadline may have passed.
///
/// Deadlines that were met are not taken out, so the alarm can ring too early, never too late. That costs a look
/// at all transfers once in a while instead of a sorted table at each of them.
struct Alarm {
    private var time: ContinuousClock.Instant?

    mutating func set(for deadline: ContinuousClock.Instant) {
        time = time.map { min($0, deadline) } ?? deadline
    }

    /// Whether to look; if so, the deadlines still ahead must be set again.
    mutating func hasRung(at now: ContinuousClock.Instant) -> Bool {
        guard let time, time <= now else { return false }
        self.time = nil
        return true
    }

    func remaining(at now: ContinuousClock.Instant) -> Duration? {
        time.map { now.duration(to: $0) }
    }
}
