import AsyncPrimitives

/// Calls an old API that can't be stopped, and waits for its completion handler.
///
/// ```swift
/// import Foundation
///
/// let status: Int32 = try await withCallback(timeout: .seconds(5)) { callback in
///     let process = Process()
///     process.executableURL = URL(filePath: "/usr/bin/true")
///     process.terminationHandler = { callback($0.terminationStatus) }
///     try process.run()
/// }
/// ```
///
/// `start` runs at once and where the caller runs, and may call the callback itself. The first call counts,
/// whether it comes before or after the wait begins and from whichever thread. A callback that is released
/// without a call ends the wait with ``CallbackError/neverCalled(_:)``.
///
/// **Cancellation and deadline.** The wait ends at once, the work goes on, and what the callback delivers from
/// then on is dropped; see `withCancellableCallback` for work that can be stopped. When the task is cancelled
/// before the call, `start` does not run.
///
/// Cost: a few small allocations and no task; a timeout adds one task that sleeps.
///
/// - Parameters:
///   - type: What the callback delivers; needed where it can't be inferred.
///   - timeout: How long to wait, by a clock that no one can set; `nil` for no limit.
///   - fileID: The file that errors and reports name.
///   - line: The line that errors and reports name.
///   - onMisuse: Told of a second call, on the thread that makes it; writes a line to standard error by default.
///   - start: Starts the work.
/// - Returns: What the callback was called with.
/// - Throws: ``CallbackError/operation(_:)`` with the API's own error or what `start` threw; every other case is
///   the adapter's.
public func withCallback<Success: Sendable>(
    of type: Success.Type = Success.self,
    timeout: Duration? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    onMisuse: @escaping @Sendable (CallbackError) -> Void = CallbackError.report,
    _ start: (Callback<Success>) throws -> Void
) async throws(CallbackError) -> Success {
    try await withCancellableCallback(
        of: type,
        timeout: timeout,
        fileID: fileID,
        line: line,
        onMisuse: onMisuse
    ) {
        try start($0)
        return {}
    }
}

/// Calls an old API that can be stopped, and waits for its completion handler.
///
/// Given an old `fetch(_:completion:)` that returns a token:
///
/// ```swift
/// let bytes: [UInt8] = try await withCancellableCallback(timeout: .seconds(5)) { callback in
///     let token = fetch("a.png") { callback($0) }
///     return { token.cancel() }
/// }
/// ```
///
/// All that is said of `withCallback` holds here too.
///
/// **Cancellation and deadline.** The wait ends at once; then the closure that `start` returned runs once, where
/// the caller runs, before the error is thrown. It runs in no other case, and no lock is held, so it may call
/// the callback. It must not block, and must do no harm when the work has just ended by itself.
///
/// As long as that closure keeps the callback alive, through a token that holds the handler, a release by the
/// old API goes unnoticed; give a `timeout` then.
///
/// - Parameters:
///   - type: What the callback delivers; needed where it can't be inferred.
///   - timeout: How long to wait, by a clock that no one can set; `nil` for no limit.
///   - fileID: The file that errors and reports name.
///   - line: The line that errors and reports name.
///   - onMisuse: Told of a second call, on the thread that makes it; writes a line to standard error by default.
///   - start: Starts the work and returns what stops it.
/// - Returns: What the callback was called with.
/// - Throws: ``CallbackError/operation(_:)`` with the API's own error or what `start` threw; every other case is
///   the adapter's.
public func withCancellableCallback<Success: Sendable>(
    of type: Success.Type = Success.self,
    timeout: Duration? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    onMisuse: @escaping @Sendable (CallbackError) -> Void = CallbackError.report,
    _ start: (Callback<Success>) throws -> () -> Void
) async throws(CallbackError) -> Success {
    if Task.isCancelled { throw .cancelled }
    let site = CallSite(fileID: fileID, line: line)
    let outcome = CallbackOutcome<Success>()
    // Here the callback must not be held, or its release would go unnoticed: hence the function of its own.
    let stop = begin(start, outcome, site, onMisuse)
    let timer = timeout.map { startTimer(after: $0, outcome, site) }
    defer { timer?.cancel() }
    do {
        return try await outcome.value().get()
    } catch {
        if error.endsWait { stop() }
        throw error
    }
}

/// An error at the start is an outcome like any other: the first one counts.
private func begin<Success: Sendable>(
    _ start: (Callback<Success>) throws -> () -> Void,
    _ outcome: CallbackOutcome<Success>,
    _ site: CallSite,
    _ onMisuse: @escaping @Sendable (CallbackError) -> Void
) -> () -> Void {
    let callback = Callback(outcome: outcome, site: site, onMisuse: onMisuse)
    // The callback must outlive the error, or its release would be the first outcome.
    return withExtendedLifetime(callback) {
        do {
            return try start(callback)
        } catch {
            outcome.resolve(.failure(.operation(error)))
            return {}
        }
    }
}

private func startTimer<Success: Sendable>(
    after limit: Duration,
    _ outcome: CallbackOutcome<Success>,
    _ site: CallSite
) -> Task<Void, any Error> {
    Task.detached {
        // `Task.sleep` traps on durations that do not fit 64 bits of nanoseconds.
        try await Task.sleep(for: limit.sleepable)
        outcome.resolve(.failure(.timedOut(after: limit, site)))
    }
}

extension CallbackError {
    /// Whether the wait was given up while the operation may still run.
    fileprivate var endsWait: Bool {
        switch self {
        case .timedOut, .cancelled: true
        case .operation, .neverCalled, .calledTwice, .calledEmpty: false
        }
    }
}
