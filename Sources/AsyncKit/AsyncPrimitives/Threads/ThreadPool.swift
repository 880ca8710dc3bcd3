/// Runs blocking calls on threads of its own, so that they never hold up Swift's cooperative pool.
///
/// ```swift
/// import Foundation
///
/// let names = try await ThreadPool.shared.run { try FileManager.default.contentsOfDirectory(atPath: "/etc") }
/// ```
///
/// The cooperative pool has one thread for each core, and on Linux even `DispatchQueue.global()` competes with it;
/// a handful of blocked calls there stops every task of the program. Here threads are started when they are needed
/// and end after ten idle seconds. Work starts in the order in which it came.
///
/// A caller whose task is cancelled leaves at once: work that has not started is removed, work that runs goes on
/// and its result is dropped. When the queue is full, ``Error/overloaded(limit:)`` is thrown at once.
public final class ThreadPool: Sendable {
    /// Why work was not run.
    public enum Error: Swift.Error, Hashable, CustomStringConvertible {
        /// As much work waits already as the pool allows.
        case overloaded(limit: Int)
        /// The system gives the pool no thread at all.
        case noThread

        /// What to do about it.
        public var description: String {
            switch self {
            case .overloaded(let limit):
                "\(limit) blocking calls wait for a thread already; ask again later or use a larger pool."
            case .noThread:
                "The system gives no thread for blocking calls; raise the limit of threads (ulimit -u)."
            }
        }
    }

    /// The pool for blocking calls that have no pool of their own: 64 threads, 4,096 calls that wait.
    public static let shared = ThreadPool(name: "asynckit-pool", maximumThreads: 64)

    private let queue: ThreadPoolQueue

    /// Makes a pool; it starts no thread yet.
    ///
    /// - Parameters:
    ///   - name: What `ps` and debuggers show; 15 bytes are kept.
    ///   - maximumThreads: How many calls may block at a time; at least 1, anything else traps.
    ///   - maximumQueued: How many may wait for a thread; 4,096 unless you say otherwise.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    public init(
        name: String,
        maximumThreads: Int,
        maximumQueued: Int = 4096,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        precondition(
            maximumThreads > 0,
            "ThreadPool(maximumThreads: \(maximumThreads)) could run nothing; use 1 or more.",
            file: fileID,
            line: line
        )
        queue = ThreadPoolQueue(name: name, maximumThreads: maximumThreads, maximumQueued: maximumQueued)
    }

    deinit {
        queue.close()
    }

    /// How many threads the pool has now.
    public var threadCount: Int { queue.threadCount }

    /// How many calls wait for a thread now.
    public var queuedCount: Int { queue.queuedCount }

    /// Runs a blocking call on a thread of the pool.
    ///
    /// - Parameter work: The call; it may block as long as it likes.
    /// - Returns: What the call returns.
    /// - Throws: What the call throws; `CancellationError` when the calling task is cancelled; an ``Error`` when
    ///   the work was not taken.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result
    {
        try Task.checkCancellation()
        let outcome = OneShot<Result>()
        let id = WaiterID()
        try queue.append(id) {
            outcome.resolve(Swift.Result { try work() })
        }
        return try await outcome.value(onCancel: { [queue] in queue.remove(id) })
    }

    /// Runs a blocking call and waits for its end even when the calling task is cancelled, for work that must not
    /// overlap with what comes after it.
    ///
    /// - Parameter work: The call; it may block as long as it likes.
    /// - Returns: What the call returned or threw.
    /// - Throws: The reason why the work was not taken.
    package func runToTheEnd<Success: Sendable, Failure: Swift.Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Error) -> Result<Success, Failure> {
        typealias Outcome = Result<Result<Success, Failure>, Error>
        return try await withUnsafeContinuation { (continuation: UnsafeContinuation<Outcome, Never>) in
            do throws(Error) {
                try queue.append(WaiterID()) {
                    continuation.resume(returning: .success(Result(catching: work)))
                }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }.get()
    }
}
