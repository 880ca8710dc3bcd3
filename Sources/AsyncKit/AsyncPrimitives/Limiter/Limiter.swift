/// Lets a number of tasks do something at a time; the others wait in order.
///
/// ```swift
/// let limiter = Limiter(permits: 4)
/// let bytes = try await limiter.withPermit { try await download("a.png") }
/// ```
///
/// Waiters are served by priority, those of equal priority in the order in which they came. A permit goes straight
/// from the one who returns it to the first waiter, so nobody overtakes. A task whose priority is raised while it
/// waits moves up. No thread is ever blocked.
///
/// A task that is cancelled before it comes, or while it waits, leaves at once and its body never runs. When the
/// cancellation comes after the permit was granted, the permit counts and the body runs. The queue is bounded:
/// when it is full, waiting throws ``Error/overloaded(limit:)`` at once.
///
/// All methods can be called from any thread. Cost of a permit nobody waits for: two short locks.
public final class Limiter: Sendable {
    /// Why a permit was not granted.
    public enum Error: Swift.Error, Hashable, CustomStringConvertible {
        /// The waiting task was cancelled.
        case cancelled
        /// No permit came free within the time the caller allowed.
        case timedOut(Duration)
        /// As many tasks wait already as the limiter allows.
        case overloaded(limit: Int)

        /// What to do about it.
        public var description: String {
            switch self {
            case .cancelled:
                "The task was cancelled while it waited for a permit."
            case .timedOut(let limit):
                "No permit came free within \(limit); allow more time or more permits."
            case .overloaded(let limit):
                "\(limit) tasks wait for a permit already; ask again later or allow more of them."
            }
        }
    }

    private let queue: Lock<LimiterQueue>

    /// Makes a limiter with all its permits free.
    ///
    /// - Parameters:
    ///   - permits: How many may run at a time; at least 1, anything else traps.
    ///   - maximumWaiters: How many may wait; 65,536 unless you say otherwise.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    public init(
        permits: Int,
        maximumWaiters: Int = 65_536,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        precondition(
            permits > 0,
            "Limiter(permits: \(permits)) would never let anybody in; use 1 or more.",
            file: fileID,
            line: line
        )
        queue = Lock(LimiterQueue(permits: permits, maximumWaiters: maximumWaiters))
    }

    /// How many permits are free now.
    public var availablePermits: Int { queue.withLock { $0.permits } }

    /// How many tasks wait now.
    public var waiterCount: Int { queue.withLock { $0.count } }

    /// Runs the body with a permit and returns the permit however the body ends.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for the permit; `nil`, the default, waits until the task is cancelled.
    ///   - body: What to run; it runs on the caller's actor.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or an ``Error`` when the body did not run.
    public func withPermit<Result>(
        timeout: Duration? = nil,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await acquire(timeout: timeout)
        defer { release() }
        return try await body()
    }

    /// Takes a permit, waiting for it; give it back with ``release()``.
    ///
    /// - Parameter timeout: How long to wait; `nil`, the default, waits until the task is cancelled.
    /// - Throws: An ``Error``; then no permit was taken.
    public func acquire(timeout: Duration? = nil) async throws(Error) {
        if Task.isCancelled { throw .cancelled }
        if tryAcquire() { return }
        if let refusal = await wait(timeout: timeout, isCancellable: true) { throw refusal }
    }

    /// Takes a permit, waiting for it even when the task is cancelled; for work that must be done all the same.
    ///
    /// - Throws: ``Error/overloaded(limit:)`` when the queue is full.
    public func acquireUncancellably() async throws(Error) {
        if tryAcquire() { return }
        if let refusal = await wait(timeout: nil, isCancellable: false) { throw refusal }
    }

    /// Takes a permit if one is free and nobody waits for it.
    ///
    /// - Returns: Whether the permit was taken.
    public func tryAcquire() -> Bool {
        queue.withLock { $0.take() }
    }

    /// Gives a permit back; the first waiter gets it.
    ///
    /// Giving back more permits than were taken adds permits.
    public func release() {
        queue.withLock { $0.giveBack() }?.resume(returning: nil)
    }

    private func wait(timeout: Duration?, isCancellable: Bool) async -> Error? {
        let id = WaiterID()
        let priority = Task.currentPriority
        var timer: Task<Void, any Swift.Error>?
        defer { timer?.cancel() }
        return await raisable { raised in
            self.queue.withLock { $0.raise(id, to: raised) }
        } operation: {
            await suspendCancellably(onCancel: {
                guard isCancellable else { return }
                queue.withLock { $0.remove(id) }?.resume(returning: .cancelled)
            }) { continuation in
                let answer = queue.withLock { queue in
                    queue.enter(continuation, id, priority, isCancelled: isCancellable && Task.isCancelled)
                }
                switch answer {
                case .parked: timer = timeout.map { startTimer($0, for: id) }
                case .granted: continuation.resume(returning: nil)
                case .refused(let error): continuation.resume(returning: error)
                }
            }
        }
    }

    private func startTimer(_ limit: Duration, for id: WaiterID) -> Task<Void, any Swift.Error> {
        Task {
            try await Task.sleep(for: limit.sleepable)
            queue.withLock { $0.remove(id) }?.resume(returning: .timedOut(limit))
        }
    }
}
