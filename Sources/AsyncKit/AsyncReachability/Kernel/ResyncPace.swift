/// Decides when to ask the kernel again: at once after a change, but not faster than every few milliseconds, and twice
/// more soon afterwards.
///
/// A storm of events, such as a full routing table being loaded, then costs a bounded share of a core. While
/// it waits for its turn the reader keeps emptying the queue. Pure.
struct ResyncPace {
    static let shortestGap: Duration = .milliseconds(2)

    /// After which times what was answered is asked once more.
    ///
    /// The kernel tells that a route goes just before it is gone, and newer ones answer questions meanwhile: Linux 6.18
    /// named the route that it had taken back in 2 of 3,000 answers. No word comes when it is gone at last.
    static let echoes: [Duration] = [.milliseconds(10), .milliseconds(250)]

    private var isDirty = false
    private var earliest: ContinuousClock.Instant?
    private var echo: ContinuousClock.Instant?
    private var echoesToCome: ArraySlice<Duration> = []
    private var backoff = Backoff(limit: .seconds(30))

    /// Notes that something changed.
    mutating func mark() {
        isDirty = true
        echoesToCome = Self.echoes[...]
    }

    /// Notes that the kernel has been asked; if it did not answer, it is asked again without an event.
    mutating func done(at now: ContinuousClock.Instant, answered: Bool) {
        isDirty = !answered
        if answered { backoff.reset() }
        earliest = now + (answered ? Self.shortestGap : backoff.pause())
        echo = answered ? echoesToCome.popFirst().map { now + $0 } : nil
    }

    func isDue(at now: ContinuousClock.Instant) -> Bool {
        due(at: now).map { now >= $0 } ?? false
    }

    /// When it is due; `nil` is never, the rule when nothing happens.
    func due(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        isDirty ? earliest ?? now : echo
    }
}
