/// Which pieces of shared work the current task is part of, so that work that waits for itself is noticed.
enum WorkMarker {
    @TaskLocal static var current: [WaiterID] = []

    static func contains(_ id: WaiterID) -> Bool {
        current.contains(id)
    }

    /// Runs the body as a part of the work `id`.
    static func within<Result>(_ id: WaiterID, _ body: () async throws -> Result) async rethrows -> Result {
        try await $current.withValue(current + [id]) { try await body() }
    }
}

/// Work waited for its own result, which could never have come.
///
/// Thrown by ``Once``, ``Lazy`` and ``SingleFlight`` to the inner call; the outer one goes on.
public struct SelfWaitError: Error, Hashable, CustomStringConvertible {
    /// What to do about it.
    public var description: String {
        "This work waits for its own result. Pass the value along instead of asking for it again."
    }
}
