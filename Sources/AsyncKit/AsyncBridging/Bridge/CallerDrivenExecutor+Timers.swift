import AsyncPrimitives
@_spi(ExperimentalScheduling) import _Concurrency

// The runtime asks the executor of a task to serve its sleeps. Without this it would serve them with a thread of the
// cooperative pool, and where all of those are blocked a sleep of milliseconds takes a second. The protocol is not
// public before Swift 6.4; the test that sleeps on a blocked pool shows when a toolchain changes it.
extension CallerDrivenExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        at instant: C.Instant,
        tolerance: C.Duration?,
        clock: C
    ) {
        let delay = clock.now.duration(to: instant) as? Duration
        enqueue(UnownedJob(job), due: Deadline(after: delay ?? .zero))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        after delay: C.Duration,
        tolerance: C.Duration?,
        clock: C
    ) {
        enqueue(UnownedJob(job), due: Deadline(after: delay as? Duration ?? .zero))
    }

    /// Runs a job that ends a sleep.
    ///
    /// It belongs to a task of the runtime's own that prefers no executor. Run as one of ours it would first move to
    /// the cooperative pool, whose threads may all be blocked.
    func fire(_ job: UnownedJob) {
        job.runSynchronously(on: Self.genericExecutor)
    }

    /// The executor of code that is isolated to nothing: all zero, see `SerialExecutorRef` in the runtime's ABI.
    private static var genericExecutor: UnownedSerialExecutor {
        unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
    }

    static func passOn(_ job: UnownedJob, due time: Deadline) {
        let job = ExecutorJob(job)
        if let pool = globalConcurrentExecutor as? any SchedulingExecutor {
            pool.enqueue(job, after: time.remaining, tolerance: nil, clock: .continuous)
        } else {
            globalConcurrentExecutor.enqueue(job)
        }
    }
}
