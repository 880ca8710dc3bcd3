import AsyncPrimitives

/// The one result that a callback and its waiter share.
///
/// The adapter's outcome is a value of the one-shot, so that its own `CancellationError` can be told from one
/// that the operation delivers.
struct CallbackOutcome<Success: Sendable>: Sendable {
    private let oneShot = OneShot<Result<Success, CallbackError>>()

    /// Delivers the result; false when another one, or a cancellation, came first.
    @discardableResult
    func resolve(_ result: Result<Success, CallbackError>) -> Bool {
        oneShot.resolve(.success(result))
    }

    /// Waits for the result; it is `.cancelled` at once when the caller's task is.
    func value() async -> Result<Success, CallbackError> {
        do {
            return try await oneShot.value()
        } catch {
            return .failure(.cancelled)
        }
    }
}
