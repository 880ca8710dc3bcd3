internal import AsyncPrimitives

extension ReachabilityMonitor {
    /// The kind of connection: what it is now, then each change.
    ///
    /// A fresh and independent stream at each access, which keeps the monitor alive and watching. Two equal
    /// elements never follow each other, a slow reader skips to the latest, and the stream ends when its task
    /// is cancelled. Iterating it twice at the same time is a mistake; access the property twice instead.
    public nonisolated var modes: AsyncStream<ConnectionMode> {
        follow(core.connectionModes)
    }

    /// The whole state: what it is now, then each change.
    ///
    /// Like ``modes``, but another address, network, cost or reason is a change too.
    public nonisolated var changes: AsyncStream<Reachability> {
        follow(core.reachabilities)
    }

    /// Waits until the target can be reached; returns at once when it can.
    ///
    /// ```swift
    /// try await ReachabilityMonitor.shared.waitUntilReachable(timeout: .seconds(30))
    /// ```
    ///
    /// It goes by what streams deliver, the hysteresis included, and waits on while the monitor is suspended.
    ///
    /// - Parameter timeout: How long to wait at most, by a clock that nobody can set; `nil`, the default, waits for
    ///   ever.
    /// - Returns: The state that ended the wait.
    /// - Throws: ``Error/timedOut(_:)``; ``Error/cancelled`` within moments of the task's cancellation;
    ///   ``Error/refused`` at once where netlink is refused, because that rarely passes.
    @discardableResult
    public nonisolated func waitUntilReachable(timeout: Duration? = nil) async throws(Error) -> Reachability {
        do {
            guard let timeout else { return try await firstReachable() }
            return try await withDeadline(timeout) { try await self.firstReachable() }
        } catch let error as Error {
            throw error
        } catch is DeadlineExceeded {
            throw .timedOut(core.reachabilities.latest?.reason)
        } catch {
            throw .cancelled
        }
    }

    private nonisolated func firstReachable() async throws -> Reachability {
        core.apply { $0.subscribe() }
        // What was delivered before a suspension may be long over, and its end may not have been told yet.
        for await watch in core.liveWatch where watch != 0 && core.apply({ $0.liveWatch }) == watch { break }
        for await reachability in core.reachabilities {
            if reachability.isReachable { return reachability }
            if reachability.reason == .refused { throw Error.refused }
        }
        throw Error.cancelled
    }

    /// The closure holds the monitor, so that a stream may outlive every other reference to it.
    private nonisolated func follow<Value: Sendable>(_ state: State<Value>) -> AsyncStream<Value> {
        let values = state.stream
        let isFirst = Lock(true)
        return AsyncStream(unfolding: {
            let isSubscribing = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isSubscribing { self.core.apply { $0.subscribe() } }
            var iterator = values.makeAsyncIterator()
            return await iterator.next()
        })
    }
}
