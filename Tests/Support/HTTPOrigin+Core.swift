import AsyncPrimitives

extension HTTPOrigin {
    /// What the origin and its threads share; the threads keep it alive until they end.
    final class Core: Sendable {
        private struct State {
            var behaviours: [String: Behaviour] = [:]
            var log = Log()
            var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
            var nextWatcher = 0
        }

        private let state = Lock(State())
        let stopped: Signal
        /// The most requests that the log holds.
        let requestLimit: Int

        init(requestLimit: Int) throws(SocketFailure) {
            stopped = try Signal()
            self.requestLimit = requestLimit
        }

        var log: Log { state.withLock { $0.log } }

        func setBehaviour(_ behaviour: Behaviour, for path: String) {
            state.withLock { $0.behaviours[path] = behaviour }
        }

        func behaviour(for path: String) -> Behaviour {
            state.withLock { $0.behaviours[path] } ?? .respond(status: 404)
        }

        func stop() {
            stopped.raise()
        }
    }
}

extension HTTPOrigin.Core {
    func record(_ change: @Sendable (inout HTTPOrigin.Log) -> Void) {
        let watchers = state.withLock { state in
            change(&state.log)
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    func until(_ condition: (HTTPOrigin.Log) -> Bool) async {
        let (changes, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = watcher
            return state.nextWatcher
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: id) } }
        if condition(log) { return }
        for await _ in changes where condition(log) { return }
    }
}

extension HTTPOrigin.Core {
    func accept(on listener: Socket) {
        let isStarted = SystemThread.start(name: "http-origin") { [self] in
            while let peer = listener.accept(unless: stopped) {
                record { log in
                    log.acceptedConnections += 1
                    log.openConnections += 1
                }
                serve(peer)
            }
            listener.close()
        }
        precondition(isStarted, "The system gives no thread for the origin.")
    }

    private func serve(_ peer: Socket) {
        let isStarted = SystemThread.start(name: "http-origin", stackSize: 256 * 1024) { [self] in
            var connection = HTTPOrigin.Connection(peer, of: self)
            connection.serve()
            peer.close()
            record { $0.openConnections -= 1 }
        }
        precondition(isStarted, "The system gives no thread for a connection of the origin.")
    }
}
