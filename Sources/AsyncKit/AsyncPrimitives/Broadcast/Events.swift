/// Every event, in order, for any number of readers, in a buffer of fixed size.
///
/// ```swift
/// let downloads = Events<String>(capacity: 64)
/// let subscription = downloads.subscribe()
/// downloads.send("a.png")
/// for await name in subscription { print(name) }
/// ```
///
/// A subscriber gets what is sent after it subscribed. One that falls more than `capacity` events behind loses
/// the oldest ones, and ``Subscription/droppedCount`` says how many; the others are not slowed down. Sending
/// never waits. Memory: `capacity` events, however many subscribers there are; without any, nothing is kept.
///
/// All methods can be called from any thread. When the events are finished or released, each subscriber gets
/// what is left for it, then the end.
public final class Events<Value: Sendable>: Sendable {
    let storage: EventsStorage<Value>

    /// Makes a buffer for events.
    ///
    /// - Parameters:
    ///   - capacity: How many events a subscriber may be behind; at least 1, anything else traps.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    public init(capacity: Int, fileID: StaticString = #fileID, line: UInt = #line) {
        precondition(
            capacity > 0,
            "Events(capacity: \(capacity)) could deliver nothing; use 1 or more.",
            file: fileID,
            line: line
        )
        storage = EventsStorage(capacity: capacity)
    }

    deinit {
        storage.finish()
    }

    /// How many events were lost by slow subscribers, all together.
    public var droppedCount: UInt64 { storage.droppedCount }

    /// How many subscribers there are now.
    public var subscriberCount: Int { storage.subscriberCount }

    /// Delivers an event to everybody who is subscribed now.
    ///
    /// Events sent from one thread arrive in that order. After ``finish()`` nothing happens.
    ///
    /// - Parameter value: The event.
    public func send(_ value: Value) {
        storage.send(value)
    }

    /// Ends every subscription after the events that are left for it.
    public func finish() {
        storage.finish()
    }

    /// Subscribes from here on.
    ///
    /// - Returns: A sequence for one task; releasing it unsubscribes.
    public func subscribe() -> Subscription {
        Subscription(storage: storage)
    }

    /// The events from here on as an `AsyncStream`, a new and independent one at each access.
    ///
    /// The subscription ends when the stream is released or its task cancelled. It counts no losses; use
    /// ``subscribe()`` where they matter.
    public var stream: AsyncStream<Value> {
        let subscription = subscribe()
        return AsyncStream(unfolding: { await subscription.next() })
    }

    /// One reader's place in the events.
    ///
    /// It may be handed from task to task; when several iterate it at once they share its events.
    public final class Subscription: AsyncSequence, AsyncIteratorProtocol, Sendable {
        /// The events themselves.
        public typealias Element = Value

        private let storage: EventsStorage<Value>
        private let id: WaiterID

        fileprivate init(storage: EventsStorage<Value>) {
            self.storage = storage
            id = storage.subscribe()
        }

        deinit {
            storage.unsubscribe(id)
        }

        /// How many events this subscriber has lost because it was more than the capacity behind.
        public var droppedCount: UInt64 { storage.droppedCount(of: id) }

        /// Returns the subscription itself; it does not start anew.
        ///
        /// - Returns: This subscription.
        public func makeAsyncIterator() -> Subscription { self }

        /// Returns the next event, waiting for it if there is none.
        ///
        /// - Parameter actor: The caller's actor; the wait does not leave it.
        /// - Returns: An event, or `nil` when the events are finished or the task is cancelled.
        public func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
            await storage.next(for: id)
        }

        /// Returns the next event, waiting for it if there is none.
        ///
        /// - Returns: An event, or `nil` when the events are finished or the task is cancelled.
        public func next() async -> Value? {
            await storage.next(for: id)
        }
    }
}
