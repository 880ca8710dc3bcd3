/// Runs an operation that waits for others, and hears when the caller's task becomes more urgent meanwhile.
///
/// A task that is suspended in a continuation can't pass its priority on by itself, as one that awaits a task does.
///
/// - Parameters:
///   - onRaise: Called on any thread with the new priority, perhaps several times.
///   - operation: What waits; it runs on the caller's actor.
/// - Returns: What the operation returns.
package func raisable<Value: Sendable>(
    _ onRaise: @escaping @Sendable (TaskPriority) -> Void,
    operation: () async -> Value
) async -> Value {
    await withTaskPriorityEscalationHandler(
        operation: operation,
        onPriorityEscalated: { _, raised in onRaise(raised) }
    )
}
