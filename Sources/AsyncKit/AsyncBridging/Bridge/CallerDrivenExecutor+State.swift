/// What the waiting thread has to do next; pure, with no effect of its own.
struct DriveState: Sendable {
    enum Arrival {
        case none
        case wake
        case passOn
    }

    enum Turn: Sendable {
        case run(UnownedJob)
        case finished
        case cancelled
        case idle
    }

    private var jobs: [UnownedJob] = []
    /// Where the next job lies; everything before it has run.
    private var head = 0
    private var isFinished = false
    private var isCancelled = false
    private var isParked = false
    private var isClosed = false

    mutating func arrive(_ job: UnownedJob) -> Arrival {
        if isClosed { return .passOn }
        jobs.append(job)
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
        if let job = nextJob() { return .run(job) }
        // Told once: the thread then waits a little for the operation to notice.
        if isCancelled {
            isCancelled = false
            return .cancelled
        }
        isParked = true
        return .idle
    }

    private mutating func nextJob() -> UnownedJob? {
        guard head < jobs.count else { return nil }
        defer {
            head += 1
            if head == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return jobs[head]
    }

    mutating func close() -> [UnownedJob] {
        isClosed = true
        defer { jobs = [] }
        return Array(jobs[head...])
    }
}
