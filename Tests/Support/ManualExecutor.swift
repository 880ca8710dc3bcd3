import AsyncPrimitives
import Glibc

/// A task executor that runs jobs only when it is told to, on the thread that tells it.
///
/// With it a test knows that a task has come as far as it can get: after ``drain()`` every task on this executor
/// is either finished or waits for something that has not happened yet. Nothing else need be waited for.
public final class ManualExecutor: TaskExecutor {
    private let jobs = Lock<[UnownedJob]>([])

    /// Makes an executor without jobs.
    public init() {}

    /// Takes a job; called by the Swift runtime.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs jobs until there is none left.
    public func drain() {
        let executor = asUnownedTaskExecutor()
        while true {
            let batch = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            if batch.isEmpty { return }
            for job in batch { job.runSynchronously(on: executor) }
        }
    }

    /// Runs jobs until the condition holds, for tasks that wait for a task of another executor.
    ///
    /// The calling task yields between its looks, so that the cooperative pool can run the other one.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most; it bounds a hang and is no part of any test's timing.
    ///   - condition: When to stop.
    /// - Returns: False when the time was up.
    public func drain(within limit: Duration = .seconds(20), until condition: () -> Bool) async -> Bool {
        let deadline = Deadline(after: limit)
        while true {
            drain()
            if condition() { return true }
            if deadline.hasPassed { return false }
            await Task.yield()
        }
    }

    /// Runs jobs until the condition holds, on a thread that is not one of the cooperative pool.
    ///
    /// - Parameter condition: When to stop.
    /// - Returns: False when that took more than 20 seconds.
    public func blockingDrain(until condition: () -> Bool) -> Bool {
        drain()
        if condition() { return true }
        let deadline = Deadline(after: .seconds(20))
        while true {
            drain()
            if condition() { return true }
            if deadline.hasPassed { return false }
            sched_yield()
        }
    }

    /// Starts a task on this executor and tells how it ended.
    ///
    /// - Parameter operation: What the task does.
    /// - Returns: The task and its outcome.
    public func start<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> ManualTask<Value> {
        ManualTask(on: self, operation)
    }
}

/// A task whose outcomes can be looked at without waiting.
public final class ManualTask<Value: Sendable>: Sendable {
    private let results: Lock<[Result<Value, any Error>]>
    private let task: Task<Void, Never>

    init(on executor: ManualExecutor, _ operation: @escaping @Sendable () async throws -> Value) {
        let results = Lock<[Result<Value, any Error>]>([])
        self.results = results
        task = Task(executorPreference: executor) {
            do {
                let value = try await operation()
                results.withLock { $0.append(.success(value)) }
            } catch {
                results.withLock { $0.append(.failure(error)) }
            }
        }
    }

    /// Every outcome; more than one means that a continuation was resumed twice.
    public var outcomes: [Result<Value, any Error>] { results.withLock { $0 } }

    /// Whether there is an outcome.
    public var isFinished: Bool { results.withLock { !$0.isEmpty } }

    /// What the task returned.
    public var value: Value? { try? outcomes.first?.get() }

    /// What the task threw.
    public var error: (any Error)? {
        guard case .failure(let error) = outcomes.first else { return nil }
        return error
    }

    /// Cancels the task.
    public func cancel() {
        task.cancel()
    }
}
