/// Whether a transfer moves, for the limit on the time in which it doesn't; pure but for the clock.
struct Pace {
    enum Direction {
        case receiving
        case sending
    }

    private let limit: Duration?
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    /// Where the program itself makes the transfer wait.
    private var held: Set<Direction> = []

    init(limit: Duration?, now: ContinuousClock.Instant) {
        self.limit = limit
        (start, last) = (now, now)
    }

    /// Something came or went.
    mutating func move(_ direction: Direction) {
        if limit == nil { return }
        last = .now
        held.remove(direction)
    }

    /// The program holds the transfer up from now on.
    mutating func hold(_ direction: Direction) {
        if limit != nil { held.insert(direction) }
    }

    /// The program does not hold the transfer up any more.
    mutating func goOn(at now: ContinuousClock.Instant) {
        if limit == nil { return }
        (last, held) = (now, [])
    }

    /// When the transfer has not moved for too long.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - connectedAfter: How long after the start there was a connection; `nil` when there is none yet.
    /// - Returns: The time, if nothing moves until then; one that is still ahead where the program is at fault; `nil`
    ///   without a limit.
    func end(at now: ContinuousClock.Instant, connectedAfter: Duration?) -> ContinuousClock.Instant? {
        guard let limit else { return nil }
        guard held.isEmpty, let connectedAfter else { return now + limit }
        return max(last, start + connectedAfter) + limit
    }
}
