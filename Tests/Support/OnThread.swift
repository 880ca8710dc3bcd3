import AsyncPrimitives

/// Runs synchronous code as a legacy caller would: on a thread of its own, which belongs to no task.
///
/// The calling task waits without blocking a thread of the cooperative pool.
@discardableResult
public func onThread<Success: Sendable>(
    _ body: @escaping @Sendable () throws -> Success
) async throws -> Success {
    let outcome = OneShot<Success>()
    let isStarted = SystemThread.start(name: "test-caller") {
        outcome.resolve(Result { try body() })
    }
    precondition(isStarted, "The system gives no thread for this test.")
    return try await outcome.value()
}
