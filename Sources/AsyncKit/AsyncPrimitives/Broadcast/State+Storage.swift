/// What one subscriber has seen.
@usableFromInline
struct StateCursor<Value: Sendable>: Sendable {
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var delivered: Value?

    @usableFromInline
    init() {}
}

/// The value, its version and those who wait for the next one; pure, with no effect of its own.
@usableFromInline
struct StateCell<Value: Sendable>: Sendable {
    @usableFromInline var value: Value?
    @usableFromInline var version: UInt64
    @usableFromInline var isFinished = false
    @usableFromInline var waiters = WaiterList<UnsafeContinuation<Void, Never>>()
    @usableFromInline var subscriberCount = 0

    @inlinable
    init(_ value: Value?) {
        self.value = value
        version = value == nil ? 0 : 1
    }

    @usableFromInline
    enum Poll {
        case value(Value, version: UInt64)
        case wait
        case end
    }

    @inlinable
    func poll(after seen: UInt64) -> Poll {
        if version != seen, let value { return .value(value, version: version) }
        return isFinished ? .end : .wait
    }

    /// Puts a new value in place and hands back what shall be released and resumed after unlocking.
    @inlinable
    mutating func replace(_ new: Value) -> (old: Value?, waiters: [UnsafeContinuation<Void, Never>]) {
        let old = value
        value = new
        version &+= 1
        return (old, waiters.removeAll())
    }
}

/// The lock around the cell, and every effect.
@usableFromInline
final class StateStorage<Value: Sendable>: Sendable {
    @usableFromInline let cell: Lock<StateCell<Value>>
    @usableFromInline let isDuplicate: @Sendable (Value, Value) -> Bool

    @inlinable
    init(_ initial: Value?, isDuplicate: @escaping @Sendable (Value, Value) -> Bool) {
        cell = Lock(StateCell(initial))
        self.isDuplicate = isDuplicate
    }

    var latest: Value? { cell.withLock { $0.value } }
    var subscriberCount: Int { cell.withLock { $0.subscriberCount } }

    func subscribe() {
        cell.withLock { $0.subscriberCount += 1 }
    }

    func unsubscribe() {
        cell.withLock { $0.subscriberCount -= 1 }
    }

    func finish() {
        let waiters = cell.withLock { cell in
            cell.isFinished = true
            return cell.waiters.removeAll()
        }
        for waiter in waiters { waiter.resume() }
    }

    @inlinable
    func set(_ new: Value) {
        while true {
            let (current, version) = cell.withLock { ($0.value, $0.version) }
            if let current, isDuplicate(current, new) { return }
            if commit(new, over: version) { return }
        }
    }

    func update(_ change: (inout Value) -> Void) {
        while true {
            let (current, version) = cell.withLock { ($0.value, $0.version) }
            guard let current else { return }
            var new = current
            change(&new)
            if isDuplicate(current, new) || commit(new, over: version) { return }
        }
    }

    /// False when another thread has set a value since `version` was read.
    @inlinable
    func commit(_ new: Value, over version: UInt64) -> Bool {
        let outcome: (old: Value?, waiters: [UnsafeContinuation<Void, Never>])? = cell.withLock { cell in
            if cell.isFinished { return (nil, []) }
            return cell.version == version ? cell.replace(new) : nil
        }
        guard let outcome else { return false }
        for waiter in outcome.waiters { waiter.resume() }
        return true
    }

    @inlinable
    func next(_ cursor: inout StateCursor<Value>) async -> Value? {
        while !Task.isCancelled {
            switch cell.withLock({ $0.poll(after: cursor.version) }) {
            case .value(let value, let version):
                cursor.version = version
                if let delivered = cursor.delivered, isDuplicate(delivered, value) { continue }
                cursor.delivered = value
                return value
            case .end:
                return nil
            case .wait:
                await waitForChange(after: cursor.version)
            }
        }
        return nil
    }

    @usableFromInline
    func waitForChange(after seen: UInt64) async {
        let id = WaiterID()
        await suspendCancellably(onCancel: {
            cell.withLock { $0.waiters.remove(id) }?.resume()
        }) { continuation in
            let isParked = cell.withLock { cell in
                guard case .wait = cell.poll(after: seen), !Task.isCancelled else { return false }
                cell.waiters.append(continuation, id: id)
                return true
            }
            if !isParked { continuation.resume() }
        }
    }
}
