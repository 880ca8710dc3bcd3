/// Runs an actor, or a task, on one thread of its own.
///
/// ```swift
/// actor Archive {
///     private let executor = ThreadExecutor(name: "archive")
///     nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// ```
///
/// An actor on it may block (SQLite, file input and output) without taking a thread from the cooperative pool. As a
/// task executor preference it moves a task's own code there. Jobs run in the order in which they were enqueued.
///
/// The thread starts with the first job and ends when the executor is released; jobs that are enqueued until then
/// are run. It sleeps while there is nothing to do. Where no thread can be started, the process traps: there would
/// be nothing to run the actor on. Cost: a hop is a thread switch, about 5 to 10 µs. Source: SE-0392, SE-0417.
public final class ThreadExecutor: SerialExecutor, TaskExecutor {
    private let queue: ThreadExecutorQueue

    /// Makes an executor; its thread does not run yet.
    ///
    /// - Parameter name: What `ps` and debuggers show; 15 bytes are kept.
    public init(name: String) {
        queue = ThreadExecutorQueue(name: name)
    }

    deinit {
        queue.close()
    }

    /// Takes a job to run on the thread; called by the Swift runtime.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        let taskExecutor = asUnownedTaskExecutor()
        // The job keeps its actor alive, the actor its executor: both references are good while the job runs.
        queue.append { job.runSynchronously(isolatedTo: executor, taskExecutor: taskExecutor) }
    }

    /// Returns this executor as the reference that an actor hands out.
    ///
    /// - Returns: A reference that does not keep the executor alive.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Tells whether the calling code runs on this executor's thread.
    ///
    /// - Returns: True on the thread, false elsewhere.
    public func isIsolatingCurrentContext() -> Bool? {
        queue.isCurrentThread
    }

    /// Traps unless the calling code runs on this executor's thread.
    public func checkIsolated() {
        precondition(
            queue.isCurrentThread,
            "This code must run on the thread of its executor; await the actor."
        )
    }
}
