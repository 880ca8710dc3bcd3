/// Suspends the caller until the continuation is resumed, and says when its task is cancelled.
///
/// `park` runs where the caller runs, and before anything else can run there. The standard library's own cancellation
/// handler takes a closure that leaves the caller's actor: two switches of threads on the main actor.
///
/// - Parameters:
///   - isolation: The caller's actor.
///   - onCancel: Called on any thread, before or after `park`; it resumes a continuation that is parked.
///   - park: Keeps the continuation, or resumes it at once when the task is cancelled already.
/// - Returns: What the continuation is resumed with.
package func suspendCancellably<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    onCancel: @Sendable () -> Void,
    _ park: (UnsafeContinuation<Value, Never>) -> Void
) async -> Value {
    await withTaskCancellationHandler(
        operation: {
            // A closure that captures the isolation is isolated to it.
            _ = isolation
            return await withUnsafeContinuation(isolation: isolation) { park($0) }
        },
        onCancel: onCancel,
        isolation: isolation
    )
}
