/// A result that is delivered once, from any thread, before or after somebody waits for it.
///
/// The first result wins. The waiter leaves at once when its task is cancelled; a result that comes later is
/// refused, so that its owner can drop it.
package final class OneShot<Success: Sendable>: Sendable {
    package typealias Outcome = Result<Success, any Error>

    private enum Stage {
        case empty
        case waiting(UnsafeContinuation<Outcome, Never>)
        case resolved(Outcome)
        case left
    }

    private let stage = Lock(Stage.empty)

    package init() {}

    /// Delivers the result; false when another one, or a cancellation, came first.
    @discardableResult
    package func resolve(_ outcome: Outcome) -> Bool {
        let (accepted, waiter): (Bool, UnsafeContinuation<Outcome, Never>?) = stage.withLock { stage in
            switch stage {
            case .empty:
                stage = .resolved(outcome)
                return (true, nil)
            case .waiting(let waiter):
                stage = .resolved(outcome)
                return (true, waiter)
            case .resolved, .left:
                return (false, nil)
            }
        }
        waiter?.resume(returning: outcome)
        return accepted
    }

    /// Waits for the result; one caller only.
    ///
    /// - Parameter onCancel: Called on any thread when the waiter's task is cancelled, after the waiter was let go.
    /// - Returns: The value it was resolved with.
    /// - Throws: The error it was resolved with; `CancellationError` when the waiter's task was cancelled first.
    package func value(onCancel: @escaping @Sendable () -> Void = {}) async throws -> Success {
        try await suspendCancellably(onCancel: {
            leave()
            onCancel()
        }) { continuation in
            if let outcome = begin(continuation) { continuation.resume(returning: outcome) }
        }.get()
    }

    /// Parks the waiter, or tells what it shall be resumed with at once.
    private func begin(_ continuation: UnsafeContinuation<Outcome, Never>) -> Outcome? {
        stage.withLock { stage in
            switch stage {
            case .empty where !Task.isCancelled:
                stage = .waiting(continuation)
                return nil
            case .resolved(let outcome):
                return outcome
            case .empty, .left:
                stage = .left
                return .failure(CancellationError())
            case .waiting:
                preconditionFailure("OneShot.value() has one caller; a second one called it.")
            }
        }
    }

    private func leave() {
        let waiter: UnsafeContinuation<Outcome, Never>? = stage.withLock { stage in
            switch stage {
            case .waiting(let waiter):
                stage = .left
                return waiter
            case .empty:
                stage = .left
                return nil
            case .resolved, .left:
                return nil
            }
        }
        waiter?.resume(returning: .failure(CancellationError()))
    }
}
