internal import AsyncPrimitives

extension ReachabilityMonitor {
    /// The kind of connection: what it is now, then each change.
    ///
    /// A fresh and independent stream at each access, which keeps the monitor alive and watching. Two equal
    /// elements never follow each other, a slow reader skips to the latest, and the stream ends when its task
    /// is cancelled. Iterating it twice at the same time is a mistake; access the property twice instead.
    public nonisolated var modes: AsyncStream<ConnectionMode> {
        follow(connectionModes)
    }

    /// The whole state: what it is now, then each change.
    ///
    /// Like ``modes``, but another address, network or reason is a change too.
    public nonisolated var changes: AsyncStream<Reachability> {
        follow(reachabilities)
    }

    /// The closure holds the monitor, so that a stream may outlive every other reference to it.
    private nonisolated func follow<Value: Sendable>(_ state: State<Value>) -> AsyncStream<Value> {
        let values = state.stream
        return AsyncStream(unfolding: {
            await self.subscribe()
            var iterator = values.makeAsyncIterator()
            return await iterator.next()
        })
    }
}
