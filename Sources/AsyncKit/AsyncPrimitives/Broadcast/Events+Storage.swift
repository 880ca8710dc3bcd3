/// The last `capacity` events and how far each subscriber has come; pure, with no effect of its own.
struct EventsRing<Value: Sendable>: Sendable {
    struct Reader {
        var position: UInt64
        var dropped: UInt64 = 0
    }

    enum Poll {
        case event(Value)
        case wait
        case end
    }

    let capacity: UInt64
    private(set) var readers: [WaiterID: Reader] = [:]
    private(set) var isFinished = false
    private var slots: [Value?]
    /// What readers have lost that are gone.
    private var droppedByLeavers: UInt64 = 0
    /// The number of the next event; event `n` lies in slot `n % capacity`.
    private var head: UInt64 = 0
    private var waiters = WaiterList<UnsafeContinuation<Void, Never>>()

    init(capacity: Int) {
        self.capacity = UInt64(capacity)
        slots = Array(repeating: nil, count: capacity)
    }

    mutating func add(reader id: WaiterID) {
        readers[id] = Reader(position: head)
    }

    /// Hands back the buffer when the last reader leaves, to be released after unlocking.
    mutating func remove(reader id: WaiterID) -> [Value?] {
        droppedByLeavers += losses(of: id)
        readers[id] = nil
        guard readers.isEmpty else { return [] }
        defer { slots = Array(repeating: nil, count: Int(capacity)) }
        return slots
    }

    /// What a reader has lost until now, whether it has polled since or not.
    func losses(of id: WaiterID) -> UInt64 {
        guard let reader = readers[id] else { return 0 }
        return reader.dropped + missed(by: reader)
    }

    /// What all readers have lost until now.
    var dropped: UInt64 {
        readers.values.reduce(droppedByLeavers) { $0 + $1.dropped + missed(by: $1) }
    }

    /// The events that were overwritten before the reader came to them.
    private func missed(by reader: Reader) -> UInt64 {
        let oldest = head > capacity ? head - capacity : 0
        return oldest > reader.position ? oldest - reader.position : 0
    }

    /// Hands back the event that was overwritten and those to resume.
    mutating func push(_ value: Value) -> (old: Value?, waiters: [UnsafeContinuation<Void, Never>]) {
        if isFinished || readers.isEmpty { return (nil, []) }
        let slot = Int(head % capacity)
        let old = slots[slot]
        slots[slot] = value
        head += 1
        return (old, waiters.removeAll())
    }

    mutating func finish() -> [UnsafeContinuation<Void, Never>] {
        isFinished = true
        return waiters.removeAll()
    }

    mutating func poll(_ id: WaiterID) -> Poll {
        guard var reader = readers[id] else { return .end }
        let lost = missed(by: reader)
        reader.dropped += lost
        reader.position += lost
        guard reader.position < head, let value = slots[Int(reader.position % capacity)] else {
            readers[id] = reader
            return isFinished ? .end : .wait
        }
        reader.position += 1
        readers[id] = reader
        return .event(value)
    }

    /// False when there is something to take, so that the caller polls again.
    mutating func park(_ waiter: UnsafeContinuation<Void, Never>, _ id: WaiterID, for reader: WaiterID)
        -> Bool
    {
        guard readers[reader]?.position == head, !isFinished else { return false }
        waiters.append(waiter, id: id)
        return true
    }

    mutating func unpark(_ id: WaiterID) -> UnsafeContinuation<Void, Never>? {
        waiters.remove(id)
    }
}

/// The lock around the ring, and every effect.
final class EventsStorage<Value: Sendable>: Sendable {
    private let ring: Lock<EventsRing<Value>>

    init(capacity: Int) {
        ring = Lock(EventsRing(capacity: capacity))
    }

    var droppedCount: UInt64 { ring.withLock { $0.dropped } }
    var subscriberCount: Int { ring.withLock { $0.readers.count } }

    func droppedCount(of id: WaiterID) -> UInt64 {
        ring.withLock { $0.losses(of: id) }
    }

    func subscribe() -> WaiterID {
        let id = WaiterID()
        ring.withLock { $0.add(reader: id) }
        return id
    }

    func unsubscribe(_ id: WaiterID) {
        _ = ring.withLock { $0.remove(reader: id) }
    }

    func send(_ value: Value) {
        let (_, waiters) = ring.withLock { $0.push(value) }
        for waiter in waiters { waiter.resume() }
    }

    func finish() {
        for waiter in ring.withLock({ $0.finish() }) { waiter.resume() }
    }

    func next(for reader: WaiterID) async -> Value? {
        while !Task.isCancelled {
            switch ring.withLock({ $0.poll(reader) }) {
            case .event(let value): return value
            case .end: return nil
            case .wait: await waitForEvent(for: reader)
            }
        }
        return nil
    }

    private func waitForEvent(for reader: WaiterID) async {
        let id = WaiterID()
        await suspendCancellably(onCancel: {
            ring.withLock { $0.unpark(id) }?.resume()
        }) { continuation in
            let isParked = ring.withLock { !Task.isCancelled && $0.park(continuation, id, for: reader) }
            if !isParked { continuation.resume() }
        }
    }
}
