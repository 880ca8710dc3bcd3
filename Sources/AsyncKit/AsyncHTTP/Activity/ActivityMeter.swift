/// How much is under way, and what an indicator shall show of it; pure.
struct ActivityMeter {
    private(set) var count = 0
    /// What shall be shown now.
    private(set) var isShown = false

    private var showDelay = Duration.zero
    private var hideDelay = Duration.zero
    /// Since when what is shown is not what there is.
    private var differsSince: ContinuousClock.Instant?
    /// The earliest time at which somebody will call ``expire(at:)``.
    private var alarm: ContinuousClock.Instant?
    private var told = false
    private var isTelling = false
}

extension ActivityMeter {
    /// Adds one.
    ///
    /// - Returns: A time at which to call ``expire(at:)``, or `nil`.
    mutating func begin(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        count += 1
        return settle(at: now)
    }

    /// Takes one away.
    ///
    /// - Returns: A time at which to call ``expire(at:)``, or `nil`.
    mutating func end(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        count -= 1
        return settle(at: now)
    }

    /// Changes the delays; what runs already is measured by the new ones.
    ///
    /// - Returns: A time at which to call ``expire(at:)``, or `nil`.
    mutating func setDelays(
        show: Duration,
        hide: Duration,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        (showDelay, hideDelay) = (max(.zero, show), max(.zero, hide))
        return settle(at: now)
    }

    /// Looks whether a delay is over; too early and too often does no harm.
    ///
    /// - Returns: A time at which to call this again, or `nil`.
    mutating func expire(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let alarm, alarm <= now { self.alarm = nil }
        return settle(at: now)
    }

    private mutating func settle(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let isActive = count > 0
        guard isActive != isShown else {
            differsSince = nil
            return nil
        }
        let since = differsSince ?? now
        let end = since + (isActive ? showDelay : hideDelay)
        guard now < end else {
            (isShown, differsSince) = (isActive, nil)
            return nil
        }
        differsSince = since
        return newAlarm(for: end)
    }

    /// One alarm serves many: it is set again when it rings too early.
    private mutating func newAlarm(for end: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let alarm, alarm <= end { return nil }
        alarm = end
        return end
    }
}

/// Edges are told by one thread at a time, so that they arrive in their order.
extension ActivityMeter {
    /// The next edge to tell; `nil` when there is none, or another thread is at it and will tell this one too.
    mutating func beginTelling() -> Bool? {
        guard !isTelling, told != isShown else { return nil }
        (isTelling, told) = (true, isShown)
        return told
    }

    /// Comes after an edge was told; then ask for the next.
    mutating func endTelling() {
        isTelling = false
    }
}
