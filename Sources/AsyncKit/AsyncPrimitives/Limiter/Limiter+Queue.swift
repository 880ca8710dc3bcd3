/// The free permits and who waits for one; pure, with no effect of its own.
struct LimiterQueue: Sendable {
    typealias Waiter = UnsafeContinuation<Limiter.Error?, Never>

    enum Answer {
        case parked
        case granted
        case refused(Limiter.Error)
    }

    private(set) var permits: Int
    private let maximumWaiters: Int
    /// One list for each priority in use, the highest first; there are only a few.
    private var lanes: [(priority: TaskPriority, waiters: WaiterList<Waiter>)] = []

    init(permits: Int, maximumWaiters: Int) {
        self.permits = permits
        self.maximumWaiters = maximumWaiters
    }

    var count: Int { lanes.reduce(0) { $0 + $1.waiters.count } }

    mutating func take() -> Bool {
        guard permits > 0 else { return false }
        permits -= 1
        return true
    }

    mutating func enter(_ waiter: Waiter, _ id: WaiterID, _ priority: TaskPriority, isCancelled: Bool)
        -> Answer
    {
        if isCancelled { return .refused(.cancelled) }
        if take() { return .granted }
        if count >= maximumWaiters { return .refused(.overloaded(limit: maximumWaiters)) }
        lanes[lane(for: priority)].waiters.append(waiter, id: id)
        return .parked
    }

    private mutating func lane(for priority: TaskPriority) -> Int {
        let place = lanes.firstIndex { $0.priority <= priority } ?? lanes.count
        if place == lanes.count || lanes[place].priority != priority {
            lanes.insert((priority, WaiterList()), at: place)
        }
        return place
    }

    /// Moves a waiter to a higher lane, where it keeps its place by the time it came.
    mutating func raise(_ id: WaiterID, to priority: TaskPriority) {
        for place in lanes.indices where lanes[place].priority < priority {
            guard let waiter = lanes[place].waiters.remove(id) else { continue }
            lanes[lane(for: priority)].waiters.append(waiter, id: id)
            return
        }
    }

    /// Passes the permit on to the first waiter, or frees it.
    mutating func giveBack() -> Waiter? {
        for place in lanes.indices {
            if let waiter = lanes[place].waiters.removeFirst()?.waiter { return waiter }
        }
        permits += 1
        return nil
    }

    mutating func remove(_ id: WaiterID) -> Waiter? {
        for place in lanes.indices {
            if let waiter = lanes[place].waiters.remove(id) { return waiter }
        }
        return nil
    }
}
