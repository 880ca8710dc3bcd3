extension State: AsyncSequence {
    /// The values of the state.
    public typealias Element = Value

    /// Subscribes; the subscription ends when the iterator is released.
    ///
    /// - Returns: An iterator for one task.
    public func makeAsyncIterator() -> Iterator {
        Iterator(storage: storage)
    }

    /// One subscription, to be used by one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let subscription: StateSubscription<Value>
        @usableFromInline var cursor = StateCursor<Value>()

        init(storage: StateStorage<Value>) {
            subscription = StateSubscription(storage)
        }

        /// Returns the current value if this subscriber has not seen it, otherwise waits for the next.
        ///
        /// - Parameter actor: The caller's actor; the wait does not leave it.
        /// - Returns: A value, or `nil` when the state is finished or the task is cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
            await subscription.storage.next(&cursor)
        }

        /// Returns the current value if this subscriber has not seen it, otherwise waits for the next.
        ///
        /// - Returns: A value, or `nil` when the state is finished or the task is cancelled.
        @inlinable
        public mutating func next() async -> Value? {
            await subscription.storage.next(&cursor)
        }
    }

    /// The values as an `AsyncStream`, a new and independent one at each access.
    ///
    /// The subscription ends when the stream and its iterators are released, or when its task is cancelled.
    /// Two loops over one stream share a subscription; access the property twice instead.
    public var stream: AsyncStream<Value> {
        let subscription = StateSubscription(storage)
        // Two tasks that iterate one stream are a mistake that must not become a data race.
        let cursor = Lock(StateCursor<Value>())
        return AsyncStream(unfolding: {
            var position = cursor.withLock { $0 }
            let value = await subscription.storage.next(&position)
            let reached = position
            cursor.withLock { $0 = reached }
            return value
        })
    }
}

/// Keeps a subscriber counted while its iterator lives.
@usableFromInline
final class StateSubscription<Value: Sendable>: Sendable {
    @usableFromInline let storage: StateStorage<Value>

    init(_ storage: StateStorage<Value>) {
        self.storage = storage
        storage.subscribe()
    }

    deinit {
        storage.unsubscribe()
    }
}
