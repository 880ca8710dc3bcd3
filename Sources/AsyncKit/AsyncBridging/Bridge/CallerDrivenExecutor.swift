import AsyncPrimitives

/// Keeps the jobs of one operation for the thread that waits for it.
///
/// Once that thread has left, whatever comes is passed on to the cooperative pool, so that an operation that was
/// given up can still end.
final class CallerDrivenExecutor: TaskExecutor {
    private let state = Lock(DriveState())
    private let sleeper: Sleeper

    init(waking sleeper: Sleeper) {
        self.sleeper = sleeper
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        switch state.withLock({ $0.arrive(job) }) {
        case .none: break
        case .wake: sleeper.wake()
        case .passOn: Self.passOn(job)
        }
    }

    func enqueue(_ job: UnownedJob, due time: Deadline) {
        switch state.withLock({ $0.arrive(job, due: time) }) {
        case .none: break
        case .wake: sleeper.wake()
        case .passOn: Self.passOn(job, due: time)
        }
    }

    /// Notes that there is a result to fetch.
    func finish() {
        if state.withLock({ $0.finish() }) { sleeper.wake() }
    }

    /// Notes that the wait shall end although there may be no result.
    func cancel() {
        if state.withLock({ $0.cancel() }) { sleeper.wake() }
    }

    /// What the thread has to do; when it is nothing, the thread counts as parked from here on.
    func nextTurn() -> DriveState.Turn {
        state.withLock { $0.nextTurn() }
    }

    /// Sleeps until there is something to do, or until the time has come.
    func sleep(until deadline: Deadline?) {
        sleeper.sleep(until: deadline) { state.withLock { $0.unpark() } }
    }

    func run(_ job: UnownedJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Passes on what is left, and everything from here on.
    func close() {
        let (jobs, timers) = state.withLock { $0.close() }
        for job in jobs { Self.passOn(job) }
        for timer in timers { Self.passOn(timer.job, due: timer.time) }
    }

    /// Makes it as new; nobody else may refer to it.
    func reopen() {
        state.withLock { $0 = DriveState() }
    }

    private static func passOn(_ job: UnownedJob) {
        globalConcurrentExecutor.enqueue(ExecutorJob(job))
    }
}
