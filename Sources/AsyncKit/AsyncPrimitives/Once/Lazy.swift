/// A value that is made when it is first asked for, by work that outlives whoever asked first.
///
/// ```swift
/// let index = Lazy { try await download("index") }
/// let value = try await index.value()
/// ```
///
/// The work runs in a task of its own with the first caller's priority and task-local values. A caller whose task
/// is cancelled leaves at once with `CancellationError` and the work goes on, even when nobody waits any more.
/// When it fails, everybody who waits gets the error and the next call tries again. Where the caller that asked
/// first shall make the value itself, and its cancellation shall count, use ``Once``.
public final class Lazy<Value: Sendable>: Sendable {
    private enum Stage {
        case empty
        case running(WaiterID, WaiterList<OneShot<Value>>)
        case made(Value)
    }

    private let make: @Sendable () async throws -> Value
    private let stage = Lock(Stage.empty)

    /// Makes an empty cell; the closure does not run yet.
    ///
    /// - Parameter make: Makes the value; it may run again after it has thrown, never twice at a time.
    public init(_ make: @escaping @Sendable () async throws -> Value) {
        self.make = make
    }

    /// The value if it has been made, without waiting.
    public var valueIfMade: Value? {
        stage.withLock { if case .made(let value) = $0 { value } else { nil } }
    }

    /// Returns the value, starting the work if need be.
    ///
    /// - Returns: The value; the same one for everybody.
    /// - Throws: What the closure throws; `CancellationError` when the calling task is cancelled;
    ///   ``SelfWaitError`` when the closure asks for the value it makes.
    public func value() async throws -> Value {
        if let value = valueIfMade { return value }
        let waiter = WaiterID()
        let outcome = OneShot<Value>()
        switch stage.withLock({ Self.enter(&$0, waiter, outcome) }) {
        case .made(let value): return value
        case .start: start(as: waiter)
        case .wait(let work) where WorkMarker.contains(work):
            leave(waiter)
            throw SelfWaitError()
        case .wait: break
        }
        defer { leave(waiter) }
        return try await outcome.value()
    }

    private enum Entry {
        case made(Value)
        case start
        case wait(work: WaiterID)
    }

    private static func enter(_ stage: inout Stage, _ id: WaiterID, _ outcome: OneShot<Value>) -> Entry {
        switch stage {
        case .made(let value):
            return .made(value)
        case .empty:
            var waiters = WaiterList<OneShot<Value>>()
            waiters.append(outcome, id: id)
            stage = .running(id, waiters)
            return .start
        case .running(let work, var waiters):
            // Otherwise the stage shares the list, and each change copies it.
            stage = .empty
            waiters.append(outcome, id: id)
            stage = .running(work, waiters)
            return .wait(work: work)
        }
    }

    private func start(as id: WaiterID) {
        Task {
            do {
                finish(.success(try await WorkMarker.within(id, make)))
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func finish(_ result: Result<Value, any Error>) {
        let waiters: [OneShot<Value>] = stage.withLock { stage in
            guard case .running(_, var waiters) = stage else { return [] }
            if case .success(let value) = result { stage = .made(value) } else { stage = .empty }
            return waiters.removeAll()
        }
        for waiter in waiters { waiter.resolve(result) }
    }

    private func leave(_ id: WaiterID) {
        stage.withLock { stage in
            guard case .running(let work, var waiters) = stage else { return }
            stage = .empty
            _ = waiters.remove(id)
            stage = .running(work, waiters)
        }
    }
}
