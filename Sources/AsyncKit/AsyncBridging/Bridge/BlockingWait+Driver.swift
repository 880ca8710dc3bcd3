import AsyncPrimitives

/// Runs the jobs of an operation on the thread that waits for it, and sleeps between them.
struct Driver {
    /// How often a thread that belongs to a task looks whether that task was cancelled: synchronous code has no
    /// other way to hear of it.
    private static var cancellationTick: Duration { .milliseconds(5) }

    /// How long a cancelled operation may take to notice before the wait returns without it.
    private static var cancellationGrace: Duration { .milliseconds(5) }

    private let executor: CallerDrivenExecutor
    private let limits: Limits
    private let deadline: Deadline?
    private var cancelledUntil: Deadline?
    private var stall = StallWatch()

    init(executor: CallerDrivenExecutor, limits: Limits) {
        self.executor = executor
        self.limits = limits
        deadline = limits.timeout.map(Deadline.init(after:))
    }

    mutating func drive() -> BlockingWait.End {
        while true {
            switch executor.nextTurn() {
            case .finished: return .finished
            case .run(let job):
                run(job)
                // Between jobs a tick more or less does not matter, and the exact clock would be a tenth of the cost.
                if let end = end(where: \.hasPassedByTick) { return end }
            case .fire(let job): executor.fire(job)
            case .cancelled: noteCancellation()
            case .idle(let time):
                sleep(until: time)
                if let end = end(where: \.hasPassed) { return end }
            }
        }
    }

    private mutating func run(_ job: UnownedJob) {
        executor.run(job)
        stall.noteJob()
    }

    private mutating func noteCancellation() {
        if cancelledUntil == nil { cancelledUntil = Deadline(after: Self.cancellationGrace) }
    }

    private mutating func sleep(until time: Deadline?) {
        stall.noteSleep(isExpected: time != nil)
        let isInTask = Caller.isInTask
        let tick = isInTask ? Deadline(after: Self.cancellationTick) : nil
        let times = [time, deadline, cancelledUntil, stall.time, tick].compactMap { $0 }
        executor.sleep(until: times.min { $0.nanoseconds < $1.nanoseconds })
        if isInTask, Task.isCancelled { noteCancellation() }
        if let report = stall.report(at: limits.callSite) { SyncBridge.onStall(report) }
    }

    private func end(where hasPassed: (Deadline) -> Bool) -> BlockingWait.End? {
        if let cancelledUntil, hasPassed(cancelledUntil) { return .cancelled }
        if let deadline, hasPassed(deadline) { return .timedOut }
        return nil
    }
}

/// Notices that a wait has had nothing to run for a while, and says so once.
struct StallWatch {
    private var jobCount = 0
    private var idleSince: Int64?
    private var isReported = false
    /// When the wait will have been idle for too long.
    private(set) var time: Deadline?

    mutating func noteJob() {
        jobCount += 1
        idleSince = nil
        time = nil
    }

    /// A sleep that the operation has asked for is no stall.
    mutating func noteSleep(isExpected: Bool) {
        guard idleSince == nil, !isReported, !isExpected else { return }
        idleSince = Deadline.now
        time = Deadline(after: SyncBridge.stallInterval)
    }

    mutating func report(at callSite: CallSite) -> SyncBridge.StallReport? {
        guard let time, let idleSince, time.hasPassed else { return nil }
        isReported = true
        self.time = nil
        let idle = Duration.nanoseconds(Deadline.now - idleSince)
        return SyncBridge.StallReport(callSite: callSite, idle: idle, jobCount: jobCount)
    }
}
