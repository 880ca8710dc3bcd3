/// Whether a transfer moves, for the limit on the time in which it doesn't; pure but for the clock.
struct Pace {
    private let limit: Duration?
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    /// Whether the program itself makes the transfer wait.
    private var isHeld = false

    init(limit: Duration?, now: ContinuousClock.Instant) {
        self.limit = limit
        (start, last) = (now, now)
    }

    /// Something came or went.
    mutating func move() {
        if limit == nil { return }
        (last, isHeld) = (.now, false)
    }

    /// The program holds the transfer up from now on.
    mutating func hold() {
        isHeld = true
    }

    /// The program does not hold the transfer up any more.
    mutating func goOn(at now: ContinuousClock.Instant) {
        (last, isHeld) = (now, false)
    }

    /// When the transfer has not moved for too long.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - connectedAfter: How long after the start there was a connection; `nil` when there is none yet.
    /// - Returns: The time, if nothing moves until then; `nil` when there is none.
    func end(
        at now: ContinuousClock.Instant,
        connectedAfter: Duration?
    ) -> ContinuousClock.Instant? {
        guard let limit, !isHeld else { return nil }
        guard let connectedAfter else { return now + limit }
        return max(last, start + connectedAfter) + limit
    }
}
