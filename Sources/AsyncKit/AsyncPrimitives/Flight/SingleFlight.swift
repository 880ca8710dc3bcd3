/// One piece of work for all who ask for the same thing at the same time.
///
/// ```swift
/// let flights = SingleFlight<String, [UInt8]>()
/// let bytes = try await flights.value(for: "logo") { try await download("logo") }
/// ```
///
/// The first caller starts the work, in a task of its own that has this caller's priority and task-local values;
/// whoever asks for the same key while it runs gets the same result or error. Nothing is remembered afterwards.
///
/// - A caller whose task is cancelled leaves at once with `CancellationError`; the others are not disturbed.
///   When the last one has left, the work is cancelled.
/// - Who asks for a key whose work was cancelled but has not ended yet gets a new flight, which starts when the
///   old one has ended: two pieces of work for one key never overlap, except after ``forget(_:)``.
/// - A caller with a higher priority raises that of the work, also one whose priority is raised while it waits.
/// - Work that asks for its own key gets ``SelfWaitError``.
///
/// All methods can be called from any thread. Cost: two short locks for a caller that joins.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Table = FlightTable<Key, Value>

    private let table = Lock(Table())

    /// Makes a table without any work in it.
    public init() {}

    /// How many flights are under way, those included that were cancelled and have not ended yet.
    public var count: Int { table.withLock { $0.count } }

    /// Returns the result of the work for a key, starting it unless it is under way.
    ///
    /// - Parameters:
    ///   - key: What makes two pieces of work the same.
    ///   - priority: The priority of the work; `nil` takes the caller's.
    ///   - operation: The work; it is dropped unused when the caller joins a flight.
    /// - Returns: The result of the flight.
    /// - Throws: What the work throws; `CancellationError` when the calling task was cancelled, or the flight by
    ///   ``cancel(_:)``; ``SelfWaitError`` from inside the work for the same key.
    public func value(
        for key: Key,
        priority: TaskPriority? = nil,
        operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let id = WaiterID()
        let priority = priority ?? Task.currentPriority
        let ancestors = WorkMarker.current
        let outcome: Table.Outcome = await raisable { raised in
            self.table.withLock { $0.raise(key, to: raised) }?.escalatePriority(to: raised)
        } operation: {
            await suspendCancellably(onCancel: {
                perform(table.withLock { $0.leave(key, id) })
            }) { continuation in
                let action = table.withLock { table in
                    let caller = Table.Caller(isCancelled: Task.isCancelled, ancestors: ancestors)
                    return table.join(key, continuation, id, priority, from: caller)
                }
                perform(action, continuation, operation)
            }
        }
        return try outcome.get()
    }

    /// Ends the flight of a key: everybody who waits gets `CancellationError` and the work is cancelled.
    ///
    /// - Parameter key: The key; one without a flight is left alone.
    /// - Returns: Whether there was anybody to tell.
    @discardableResult
    public func cancel(_ key: Key) -> Bool {
        let departure = table.withLock { $0.cancel(key) }
        perform(departure)
        return !departure.waiters.isEmpty
    }

    /// Ends every flight, as ``cancel(_:)`` does.
    public func cancelAll() {
        for key in table.withLock({ $0.keys }) { cancel(key) }
    }

    /// Lets the next caller start anew, although the work for the key is still under way.
    ///
    /// Those who wait keep waiting for the old work.
    ///
    /// - Parameter key: The key to forget.
    public func forget(_ key: Key) {
        table.withLock { $0.forget(key) }
    }

    private func perform(
        _ action: Table.Join,
        _ waiter: Table.Waiter,
        _ operation: @escaping @Sendable () async throws -> Value
    ) {
        switch action {
        case .refuse(let error):
            waiter.resume(returning: .failure(error))
        case .joined(nil):
            break
        case .joined((let task, let priority)?):
            task.escalatePriority(to: priority)
        case .start(let flight, let predecessor, let priority):
            start(flight, after: predecessor, priority, operation)
        }
    }

    private func perform(_ departure: Table.Departure) {
        for waiter in departure.waiters { waiter.resume(returning: .failure(CancellationError())) }
        departure.task?.cancel()
    }

    private func start(
        _ flight: WaiterID,
        after predecessor: Gate?,
        _ priority: TaskPriority,
        _ operation: @escaping @Sendable () async throws -> Value
    ) {
        let task = Task(priority: priority) {
            await predecessor?.wait()
            let outcome = await Self.outcome(of: operation, in: flight)
            let landing = table.withLock { $0.land(flight) }
            landing.successor?.open()
            for waiter in landing.waiters { waiter.resume(returning: outcome) }
        }
        let (isCancelled, raised) = table.withLock { $0.started(flight, task) }
        if isCancelled { task.cancel() }
        if let raised, raised > priority { task.escalatePriority(to: raised) }
    }

    private static func outcome(
        of operation: @Sendable () async throws -> Value,
        in flight: WaiterID
    ) async -> Table.Outcome {
        do {
            try Task.checkCancellation()
            return .success(try await WorkMarker.within(flight, operation))
        } catch {
            return .failure(error)
        }
    }
}
