/// Lets synchronous code wait for `async` work without hanging the program.
///
/// ```swift
/// import Foundation
///
/// let worker = Thread {
///     do {
///         let total = try SyncBridge.wait { await counter.total }
///         print(total)
///     } catch {
///         print(error)
///     }
/// }
/// worker.start()
/// ```
///
/// The blocked thread runs the operation itself: it is the executor of the operation's task (SE-0417) and runs its
/// jobs as they become ready, so the wait makes progress even when every thread of the cooperative pool is blocked,
/// where a semaphore around a `Task` hangs for good. Between jobs it sleeps on a POSIX semaphore.
///
/// Waiting is refused, before the operation starts, where it could only hang: on an actor, and on the main thread
/// or main queue, where ``waitServingMainRunLoop(timeout:handle:isolation:fileID:line:operation:)`` is the form to
/// use. What no check can see: an operation that awaits an unstructured `Task` while the pool is starved. It ends
/// with the deadline, and the stall report names the call before that.
///
/// Cost: about a microsecond around a call of an idle actor.
public enum SyncBridge {
    /// Blocks the calling thread until the operation has ended, and returns its result.
    ///
    /// ```swift
    /// do {
    ///     print(try SyncBridge.wait(timeout: .milliseconds(500)) { await counter.total })
    /// } catch .timedOut(let limit, _) {
    ///     print("no answer within \(limit)")
    /// } catch {
    ///     print(error)
    /// }
    /// ```
    ///
    /// The operation's task has the caller's priority and task-local values. When the deadline passes or the wait
    /// is cancelled, the task is cancelled and the call returns, within 10 ms of a cancellation, even if the
    /// operation ignores it; what the operation does later runs on the cooperative pool, with its `defer` blocks,
    /// and its result is dropped. An operation that blocks its thread without suspending delays the return.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, by the monotonic clock; `nil` waits for ever. ``defaultTimeout`` unless you
    ///     say otherwise.
    ///   - handle: What another thread cancels this wait with.
    ///   - isolation: The caller's actor; leave it alone.
    ///   - fileID: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    ///   - operation: The work; it runs on the calling thread and on the actors it calls.
    /// - Returns: What the operation returns.
    /// - Throws: ``Error/operation(_:)`` with the operation's own error, or why the wait did not see its end.
    @available(*, noasync, message: "await the operation itself")
    @inlinable
    public static func wait<Success: Sendable, Failure: Swift.Error>(
        timeout: Duration? = SyncBridge.defaultTimeout,
        handle: Handle? = nil,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        operation: @escaping @Sendable () async throws(Failure) -> Success
    ) throws(Error<Failure>) -> Success {
        let outcome = Outcome<Success, Failure>()
        let limits = Limits(timeout: timeout, handle: handle, callSite: CallSite(fileID: fileID, line: line))
        let end = BlockingWait.run(limits, isolation: isolation, outcome.fill(from: operation))
        return try outcome.value(after: end, limits)
    }
}
