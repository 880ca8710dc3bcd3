/// The work was not done when its time was up.
package struct DeadlineExceeded: Error {
    package let limit: Duration
}

/// Runs an operation and returns on time, even when the operation ignores cancellation.
///
/// The operation is cancelled when the time is up or the caller is cancelled. What it delivers later is dropped;
/// its own `defer` blocks still run.
package func withDeadline<Success: Sendable>(
    _ limit: Duration,
    operation: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    let outcome = OneShot<Success>()
    let work = Task {
        do {
            outcome.resolve(.success(try await operation()))
        } catch {
            outcome.resolve(.failure(error))
        }
    }
    let timer = Task {
        try await Task.sleep(for: limit.sleepable)
        if outcome.resolve(.failure(DeadlineExceeded(limit: limit))) { work.cancel() }
    }
    defer { timer.cancel() }
    return try await outcome.value(onCancel: { work.cancel() })
}
