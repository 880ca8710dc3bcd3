/// Empty, being made, or made; pure, with no effect of its own.
struct OnceCell<Value: Sendable>: Sendable {
    enum Entry {
        case made(Value)
        case make
        case wait(maker: WaiterID)
    }

    /// What a waiter is resumed with.
    enum Turn: Sendable {
        case made(Value)
        case make
        case leave
    }

    typealias Waiter = UnsafeContinuation<Turn, Never>

    private(set) var value: Value?
    private var maker: WaiterID?
    private var waiters = WaiterList<Waiter>()

    mutating func enter(_ id: WaiterID) -> Entry {
        if let value { return .made(value) }
        if let maker { return .wait(maker: maker) }
        maker = id
        return .make
    }

    /// Parks the waiter, or tells what came between entering and parking.
    mutating func park(_ waiter: Waiter, _ id: WaiterID, isCancelled: Bool) -> Turn? {
        if isCancelled { return .leave }
        switch enter(id) {
        case .made(let value): return .made(value)
        case .make: return .make
        case .wait:
            waiters.append(waiter, id: id)
            return nil
        }
    }

    mutating func fill(_ value: Value) -> [Waiter] {
        self.value = value
        maker = nil
        return waiters.removeAll()
    }

    /// Hands the making over; the promoted waiter is off the list, so a cancellation cannot take it any more.
    mutating func promoteNext() -> Waiter? {
        let next = waiters.removeFirst()
        maker = next?.id
        return next?.waiter
    }

    mutating func remove(_ id: WaiterID) -> Waiter? {
        waiters.remove(id)
    }

    /// Hands back the old value, to be released after unlocking.
    mutating func reset() -> Value? {
        defer { value = nil }
        return value
    }
}
