import AsyncPrimitives

/// What the waiting thread has to do next; pure, with no effect of its own.
struct DriveState: Sendable {
    enum Arrival {
        case none
        case wake
        case passOn
    }

    enum Turn: Sendable {
        case run(UnownedJob)
        /// A job that ends a sleep.
        case fire(UnownedJob)
        case finished
        case cancelled
        /// Nothing to do before the time, if there is one, at which the operation wants to be woken.
        case idle(until: Deadline?)
    }

    /// The next job, kept apart because there is seldom a second one, and an array would be an allocation.
    private var first: UnownedJob?
    private var rest: [UnownedJob] = []
    /// Where the rest begins; everything before it has run.
    private var head = 0
    private var timers = TimerQueue()
    private var isFinished = false
    private var isCancelled = false
    private var isParked = false
    private var isClosed = false

    mutating func arrive(_ job: UnownedJob) -> Arrival {
        if isClosed { return .passOn }
        if first == nil { first = job } else { rest.append(job) }
        return unpark() ? .wake : .none
    }

    mutating func arrive(_ job: UnownedJob, due time: Deadline) -> Arrival {
        if isClosed { return .passOn }
        timers.insert(job, due: time)
        return unpark() ? .wake : .none
    }

    mutating func finish() -> Bool {
        isFinished = true
        return unpark()
    }

    mutating func cancel() -> Bool {
        isCancelled = true
        return unpark()
    }

    /// Whether the thread was parked; whoever gets true wakes it, or is it.
    mutating func unpark() -> Bool {
        defer { isParked = false }
        return isParked
    }

    mutating func nextTurn() -> Turn {
        if isFinished { return .finished }
        if let job = timers.removeDue() { return .fire(job) }
        if let job = nextJob() { return .run(job) }
        // Told once: the thread then waits a little for the operation to notice.
        if isCancelled {
            isCancelled = false
            return .cancelled
        }
        isParked = true
        return .idle(until: timers.next)
    }

    private mutating func nextJob() -> UnownedJob? {
        defer { first = head < rest.count ? nextOfRest() : nil }
        return first
    }

    private mutating func nextOfRest() -> UnownedJob {
        defer {
            head += 1
            if head == rest.count {
                rest.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return rest[head]
    }

    /// Hands back what is left to run, at once and later.
    mutating func close() -> (jobs: [UnownedJob], timers: [TimerQueue.Entry]) {
        isClosed = true
        defer { (first, rest, head, timers) = (nil, [], 0, TimerQueue()) }
        let jobs = first.map { [$0] + rest[head...] } ?? []
        return (jobs, timers.entries)
    }
}
