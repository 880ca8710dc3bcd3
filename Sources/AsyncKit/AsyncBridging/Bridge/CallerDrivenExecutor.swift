import AsyncPrimitives

/// Keeps the jobs of one operation for the thread that waits for it.
///
/// Once that thread has left, whatever comes is passed on to the cooperative pool, so that an operation that was
/// given up can still end.
final class CallerDrivenExecutor: TaskExecutor {
    private let state = Lock(DriveState())
    /// Wakes the thread from its sleep; called from any thread, without a lock.
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        switch state.withLock({ $0.arrive(job) }) {
        case .none: break
        case .wake: wake()
        case .passOn: Self.passOn(job)
        }
    }

    func enqueue(_ job: UnownedJob, due time: Deadline) {
        switch state.withLock({ $0.arrive(job, due: time) }) {
        case .none: break
        case .wake: wake()
        case .passOn: Self.passOn(job, due: time)
        }
    }

    /// Notes that there is a result to fetch.
    func finish() {
        if state.withLock({ $0.finish() }) { wake() }
    }

    /// Notes that the wait shall end although there may be no result.
    func cancel() {
        if state.withLock({ $0.cancel() }) { wake() }
    }

    /// What the thread has to do; when it is nothing, the thread counts as parked from here on.
    func nextTurn() -> DriveState.Turn {
        state.withLock { $0.nextTurn() }
    }

    /// Notes that the thread is awake without having been woken; false when a wake-up is under way to it.
    func unpark() -> Bool {
        state.withLock { $0.unpark() }
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

    private static func passOn(_ job: UnownedJob) {
        globalConcurrentExecutor.enqueue(ExecutorJob(job))
    }
}
