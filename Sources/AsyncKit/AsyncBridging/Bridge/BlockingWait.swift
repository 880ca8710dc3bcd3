import AsyncPrimitives

/// How long a wait may take, what cancels it, and where it was called.
@usableFromInline
struct Limits: Sendable {
    @usableFromInline let timeout: Duration?
    let handle: SyncBridge.Handle?
    @usableFromInline let callSite: CallSite

    @usableFromInline
    init(timeout: Duration?, handle: SyncBridge.Handle?, callSite: CallSite) {
        self.timeout = timeout
        self.handle = handle
        self.callSite = callSite
    }

    @usableFromInline var wasCancelled: Bool { Task.isCancelled || handle?.isCancelled == true }
}

/// Runs a body in a task whose executor is the calling thread.
@usableFromInline
enum BlockingWait {
    @usableFromInline typealias Body = @Sendable () async -> Void

    @usableFromInline
    enum End: Sendable {
        case finished
        case timedOut
        case cancelled
        case refused(SyncBridge.Refusal.Reason)
    }

    @usableFromInline
    static func run(_ limits: Limits, isolation: (any Actor)?, _ body: @escaping Body) -> End {
        if let reason = SyncBridge.Refusal.Reason.ofWaiting(isolation) {
            return .refused(reason)
        }
        let thread = WaitingThread.current
        let executor = thread.takeExecutor()
        let end = run(limits, executor, body)
        thread.giveBack(executor)
        return end
    }

    /// Leaves no reference to the executor behind when the task has ended.
    static func run(_ limits: Limits, _ executor: CallerDrivenExecutor, _ body: @escaping Body) -> End {
        if limits.wasCancelled { return .cancelled }
        let task = Task(executorPreference: executor) {
            await body()
            executor.finish()
        }
        let id = limits.handle?.attach {
            task.cancel()
            executor.cancel()
        }
        defer { if let id { limits.handle?.detach(id) } }

        var driver = Driver(executor: executor, limits: limits)
        let end = driver.drive()
        executor.close()
        if case .finished = end { return end }
        task.cancel()
        return end
    }
}
