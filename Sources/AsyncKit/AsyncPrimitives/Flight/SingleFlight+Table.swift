/// Which flights are under way and who waits for them; pure, with no effect of its own.
///
/// A flight is *live* while new callers join it. One that was left by its last caller, or cancelled, is
/// *draining*: it has nobody to tell, and the next live flight of its key starts only when it has landed.
struct FlightTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Waiter = UnsafeContinuation<Outcome, Never>

    enum Join {
        case refuse(any Error)
        case joined((task: Task<Void, Never>, priority: TaskPriority)?)
        case start(WaiterID, after: Gate?, TaskPriority)
    }

    /// What the task that asks is part of.
    struct Caller {
        let isCancelled: Bool
        let ancestors: [WaiterID]
    }

    /// Whom to tell that it is over, and what to cancel, after unlocking.
    struct Departure {
        var waiters: [Waiter] = []
        var task: Task<Void, Never>?
    }

    struct Landing {
        var waiters: [Waiter] = []
        var successor: Gate?
    }

    private struct Flight {
        let key: Key
        var waiters = WaiterList<Waiter>()
        var priority: TaskPriority
        var task: Task<Void, Never>?
        var isCancelled = false
        var successor: Gate?
    }

    private var flights: [WaiterID: Flight] = [:]
    private var live: [Key: WaiterID] = [:]
    /// The youngest draining flight of a key; older ones land before it does.
    private var draining: [Key: WaiterID] = [:]

    var count: Int { flights.count }
    var keys: [Key] { Array(live.keys) }

    mutating func join(
        _ key: Key,
        _ waiter: Waiter,
        _ id: WaiterID,
        _ priority: TaskPriority,
        from caller: Caller
    ) -> Join {
        if caller.isCancelled { return .refuse(CancellationError()) }
        if caller.ancestors.contains(where: { holdsUp(key, flight: $0) }) { return .refuse(SelfWaitError()) }
        if let flight = live[key] { return board(flight, waiter, id, priority) }
        return launch(key, waiter, id, priority)
    }

    /// Whether a caller for `key` would wait for the end of this flight.
    private func holdsUp(_ key: Key, flight id: WaiterID) -> Bool {
        guard let flight = flights[id], flight.key == key else { return false }
        return live[key] == id || flight.isCancelled
    }

    private mutating func board(
        _ flight: WaiterID,
        _ waiter: Waiter,
        _ id: WaiterID,
        _ priority: TaskPriority
    ) -> Join {
        flights[flight]?.waiters.append(waiter, id: id)
        return .joined(raise(flight, to: priority).map { ($0, priority) })
    }

    /// Notes a higher priority; returns the task that is to be told.
    mutating func raise(_ key: Key, to priority: TaskPriority) -> Task<Void, Never>? {
        live[key].flatMap { raise($0, to: priority) }
    }

    private mutating func raise(_ flight: WaiterID, to priority: TaskPriority) -> Task<Void, Never>? {
        guard let place = flights.index(forKey: flight), priority > flights.values[place].priority else {
            return nil
        }
        flights.values[place].priority = priority
        return flights.values[place].task
    }

    private mutating func launch(
        _ key: Key,
        _ waiter: Waiter,
        _ id: WaiterID,
        _ priority: TaskPriority
    ) -> Join {
        var flight = Flight(key: key, priority: priority)
        flight.waiters.append(waiter, id: id)
        flights[id] = flight
        live[key] = id
        guard let predecessor = draining[key] else { return .start(id, after: nil, priority) }
        // A successor that was forgotten may wait for it already; both pass the same gate.
        let gate = flights[predecessor]?.successor ?? Gate()
        flights[predecessor]?.successor = gate
        return .start(id, after: gate, priority)
    }

    /// Notes the task of a flight and tells what has happened to the flight before its task was known.
    mutating func started(_ id: WaiterID, _ task: Task<Void, Never>) -> (isCancelled: Bool, TaskPriority?) {
        flights[id]?.task = task
        return (flights[id]?.isCancelled ?? false, flights[id]?.priority)
    }

    mutating func leave(_ key: Key, _ id: WaiterID) -> Departure {
        if let flight = live[key], let departure = leave(flight: flight, id) { return departure }
        // Rare: the flight was forgotten while this caller waited for it.
        for flight in flights.filter({ $0.value.key == key }).keys {
            if let departure = leave(flight: flight, id) { return departure }
        }
        return Departure()
    }

    private mutating func leave(flight: WaiterID, _ id: WaiterID) -> Departure? {
        guard let waiter = flights[flight]?.waiters.remove(id) else { return nil }
        let isLast = flights[flight]?.waiters.isEmpty ?? false
        return Departure(waiters: [waiter], task: isLast ? drain(flight) : nil)
    }

    mutating func cancel(_ key: Key) -> Departure {
        guard let flight = live[key] else { return Departure() }
        let waiters = flights[flight]?.waiters.removeAll() ?? []
        return Departure(waiters: waiters, task: drain(flight))
    }

    private mutating func drain(_ id: WaiterID) -> Task<Void, Never>? {
        guard let key = flights[id]?.key else { return nil }
        if live[key] == id {
            live[key] = nil
            draining[key] = id
        }
        flights[id]?.isCancelled = true
        return flights[id]?.task
    }

    mutating func forget(_ key: Key) {
        live[key] = nil
    }

    /// Takes the flight off the table in the same step that decides who gets its result.
    mutating func land(_ id: WaiterID) -> Landing {
        guard var flight = flights.removeValue(forKey: id) else { return Landing() }
        if live[flight.key] == id { live[flight.key] = nil }
        if draining[flight.key] == id { draining[flight.key] = nil }
        return Landing(waiters: flight.waiters.removeAll(), successor: flight.successor)
    }
}
