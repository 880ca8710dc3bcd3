import AsyncPrimitives
import AsyncReachability

/// A probe whose calls a test takes one by one, and answers when it likes.
final class ScriptedProbe: ReachabilityProbe {
    /// One call; it returns when it is answered, also when its task was cancelled.
    final class Call: Sendable {
        let route: NetworkRoute
        /// Opened when the task of the call is cancelled.
        let cancellation = Gate()
        private let answered = Gate()
        private let verdict = Lock(ProbeVerdict.failed)

        fileprivate init(_ route: NetworkRoute) {
            self.route = route
        }

        func answer(_ verdict: ProbeVerdict) {
            self.verdict.withLock { $0 = verdict }
            answered.open()
        }

        fileprivate func run() async -> ProbeVerdict {
            await withTaskCancellationHandler {
                await answered.wait()
            } onCancel: {
                cancellation.open()
            }
            return verdict.withLock { $0 }
        }
    }

    private struct Count {
        var now = 0
        var most = 0
        var all = 0
    }

    /// The calls in order; for one reader.
    let calls: AsyncStream<Call>
    private let arrivals: AsyncStream<Call>.Continuation
    private let count = Lock(Count())

    init() {
        (calls, arrivals) = AsyncStream.makeStream()
    }

    /// How many calls there have been.
    var callCount: Int { count.withLock { $0.all } }

    /// How many there were at the same time, at most.
    var mostCallsAtOnce: Int { count.withLock { $0.most } }

    func validate(over route: NetworkRoute) async -> ProbeVerdict {
        count.withLock { count in
            count.now += 1
            count.all += 1
            count.most = max(count.most, count.now)
        }
        defer { count.withLock { $0.now -= 1 } }
        let call = Call(route)
        arrivals.yield(call)
        return await call.run()
    }
}

/// The pauses between the calls of a probe, which last until the test ends them.
final class ManualRest: Sendable {
    /// The lengths of the pauses in order; for one reader.
    let pauses: AsyncStream<Duration>
    private let begun: AsyncStream<Duration>.Continuation
    private let started = Lock(0)
    private let ended = State(0)

    init() {
        (pauses, begun) = AsyncStream.makeStream()
    }

    /// Ends the pause that lasts now, or the next one.
    func end() {
        ended.update { $0 += 1 }
    }

    func rest(_ pause: Duration) async {
        let number = started.withLock { count in
            count += 1
            return count
        }
        begun.yield(pause)
        for await count in ended where count >= number { return }
    }
}
