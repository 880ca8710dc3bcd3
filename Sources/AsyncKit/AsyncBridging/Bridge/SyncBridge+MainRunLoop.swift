import AsyncPrimitives

extension SyncBridge {
    /// Blocks the main thread until the operation has ended, and keeps the main run loop served meanwhile.
    ///
    /// ```swift
    /// @main struct Tool {
    ///     static func main() throws {
    ///         print(try SyncBridge.waitServingMainRunLoop { await counter.total })
    ///     }
    /// }
    /// ```
    ///
    /// Work of the `MainActor` and blocks of the main queue go on, and timers where the program has Foundation: the
    /// thread then sleeps in its run loop's default mode. Without Foundation the main queue is all there is to
    /// serve. Which of them it is is found out by the first call; a Foundation that is loaded later, by dlopen(3),
    /// is not served. Either way the thread is woken when there is something to do, and nothing is polled. It may
    /// be called again from a timer: each wait runs its own operation's jobs only.
    ///
    /// It is refused where the run loop could not make progress: on another thread, in a task, and inside a block
    /// that the main queue runs, because that queue runs nothing else before the block returns. Cancellation, the
    /// deadline and late results are as in ``wait(timeout:handle:isolation:fileID:line:operation:)``.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, by the monotonic clock; `nil` waits for ever. ``defaultTimeout`` unless you
    ///     say otherwise.
    ///   - handle: What another thread cancels this wait with.
    ///   - isolation: The caller's actor; leave it alone.
    ///   - fileID: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    ///   - operation: The work; it runs on the main thread and on the actors it calls.
    /// - Returns: What the operation returns.
    /// - Throws: ``Error/operation(_:)`` with the operation's own error, or why the wait did not see its end.
    @available(*, noasync, message: "await the operation itself")
    public static func waitServingMainRunLoop<Success: Sendable, Failure: Swift.Error>(
        timeout: Duration? = SyncBridge.defaultTimeout,
        handle: Handle? = nil,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        operation: @escaping @Sendable () async throws(Failure) -> Success
    ) throws(Error<Failure>) -> Success {
        let outcome = Outcome<Success, Failure>()
        let limits = Limits(timeout: timeout, handle: handle, callSite: CallSite(fileID: fileID, line: line))
        let end = BlockingWait.runServing(limits, isolation: isolation, outcome.fill(from: operation))
        return try outcome.value(after: end, limits)
    }

    /// Waits in the form that fits the calling thread; what the `blocking` forms of the services call.
    @available(*, noasync, message: "await the operation itself")
    package static func waitAnywhere<Success: Sendable, Failure: Swift.Error>(
        timeout: Duration? = SyncBridge.defaultTimeout,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable () async throws(Failure) -> Success
    ) throws(Error<Failure>) -> Success {
        if Caller.isOnMainThread {
            return try waitServingMainRunLoop(
                timeout: timeout,
                isolation: isolation,
                fileID: fileID,
                line: line,
                operation: operation
            )
        }
        return try wait(
            timeout: timeout,
            isolation: isolation,
            fileID: fileID,
            line: line,
            operation: operation
        )
    }
}

extension BlockingWait {
    /// Sleeps in the main run loop while there is nothing to run.
    static func runServing(_ limits: Limits, isolation: (any Actor)?, _ body: @escaping Body) -> End {
        if let reason = SyncBridge.Refusal.Reason.ofServing(isolation) { return .refused(reason) }
        return MainRunLoop.keepingAlive {
            MainRunLoop.isMainQueueServed()
                ? run(limits, CallerDrivenExecutor(waking: .inMainRunLoop), body)
                : .refused(.insideMainQueue)
        }
    }
}
