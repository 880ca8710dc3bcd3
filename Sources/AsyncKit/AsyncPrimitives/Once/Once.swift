/// A value that is made when it is first asked for, once.
///
/// ```swift
/// let configuration = Once { try await download("configuration.json") }
/// let value = try await configuration.value()
/// ```
///
/// The first caller makes the value **in its own task**; whoever asks meanwhile waits. When making fails, or is
/// cancelled, only that caller gets the error: the value stays unmade and the next waiter makes it. Where the
/// work shall outlive its first caller, use ``Lazy``.
///
/// A waiter whose task is cancelled leaves at once with `CancellationError`. A call from inside the closure
/// throws ``SelfWaitError``. Task-local values are those of the caller that makes the value.
public final class Once<Value: Sendable>: Sendable {
    private let make: @Sendable () async throws -> Value
    private let cell = Lock(OnceCell<Value>())

    /// Makes an empty cell; the closure does not run yet.
    ///
    /// - Parameter make: Makes the value; it may run again after it has thrown, never twice at a time.
    public init(_ make: @escaping @Sendable () async throws -> Value) {
        self.make = make
    }

    /// The value if it has been made, without waiting.
    public var valueIfMade: Value? { cell.withLock { $0.value } }

    /// Forgets the value, so that the next caller makes a new one.
    ///
    /// While the value is being made nothing is forgotten.
    public func reset() {
        _ = cell.withLock { $0.reset() }
    }

    /// Returns the value, making it if need be.
    ///
    /// - Returns: The value; the same one for everybody.
    /// - Throws: What the closure throws, to the caller that ran it; `CancellationError` when the task was
    ///   cancelled while it waited; ``SelfWaitError`` when the closure asks for the value it makes.
    public func value() async throws -> Value {
        let id = WaiterID()
        switch cell.withLock({ $0.enter(id) }) {
        case .made(let value): return value
        case .make: return try await makeValue(as: id)
        case .wait(let maker) where WorkMarker.contains(maker): throw SelfWaitError()
        case .wait: break
        }
        switch await waitForTurn(id) {
        case .made(let value): return value
        case .make: return try await makeValue(as: id)
        case .leave: throw CancellationError()
        }
    }

    private func makeValue(as id: WaiterID) async throws -> Value {
        do {
            let value = try await WorkMarker.within(id, make)
            for waiter in cell.withLock({ $0.fill(value) }) { waiter.resume(returning: .made(value)) }
            return value
        } catch {
            cell.withLock { $0.promoteNext() }?.resume(returning: .make)
            throw error
        }
    }

    private func waitForTurn(_ id: WaiterID) async -> OnceCell<Value>.Turn {
        await suspendCancellably(onCancel: {
            cell.withLock { $0.remove(id) }?.resume(returning: .leave)
        }) { continuation in
            let turn = cell.withLock { $0.park(continuation, id, isCancelled: Task.isCancelled) }
            if let turn { continuation.resume(returning: turn) }
        }
    }
}
