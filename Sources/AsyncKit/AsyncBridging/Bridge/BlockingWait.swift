import AsyncPrimitives

/// How long a wait may take, and where it was called.
struct Limits: Sendable {
    let timeout: Duration?
    let callSite: CallSite
}

/// One operation and the thread that waits for it.
struct BlockingWait<Success: Sendable, Failure: Error> {
    typealias Operation = @Sendable () async throws(Failure) -> Success

    private let operation: Operation
    private let limits: Limits

    init(_ operation: @escaping Operation, limits: Limits) {
        self.operation = operation
        self.limits = limits
    }

    func result(
        cancelledBy handle: SyncBridge.Handle?, parking: some Parking
    ) throws(SyncBridge.Error<Failure>) -> Success {
        if Task.isCancelled || handle?.isCancelled == true { throw .cancelled(at: limits.callSite) }
        let executor = CallerDrivenExecutor(wake: parking.wake)
        defer { executor.close() }
        let outcome = Lock<Result<Success, Failure>?>(nil)
        let task = start(on: executor, into: outcome)

        let id = WaiterID()
        handle?.attach(id) {
            task.cancel()
            executor.cancel()
        }
        defer { handle?.detach(id) }

        var driver = Driver(executor: executor, parking: parking, limits: limits)
        let end = driver.drive()
        guard let result = outcome.withLock({ $0 }) else {
            task.cancel()
            throw end == .timedOut ? timedOut : .cancelled(at: limits.callSite)
        }
        return try value(of: result, wasCancelled: driver.wasCancelled)
    }

    private var timedOut: SyncBridge.Error<Failure> {
        .timedOut(after: limits.timeout ?? .zero, at: limits.callSite)
    }

    private func start(
        on executor: CallerDrivenExecutor, into outcome: Lock<Result<Success, Failure>?>
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) { [operation] in
            let result = await Self.outcome(of: operation)
            outcome.withLock { $0 = result }
            executor.finish()
        }
    }

    private static func outcome(of operation: Operation) async -> Result<Success, Failure> {
        do {
            return .success(try await operation())
        } catch {
            return .failure(error)
        }
    }

    private func value(
        of result: Result<Success, Failure>, wasCancelled: Bool
    ) throws(SyncBridge.Error<Failure>) -> Success {
        switch result {
        case .success(let value): return value
        case .failure(let error) where wasCancelled && error is CancellationError:
            throw .cancelled(at: limits.callSite)
        case .failure(let error): throw .operation(error)
        }
    }
}
