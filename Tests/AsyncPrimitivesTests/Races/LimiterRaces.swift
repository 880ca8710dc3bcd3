import AsyncPrimitives
import Support
import Testing

extension RaceTests {
    struct LimiterRaces {
        private struct Round: Sendable {
            let limiter = Limiter(permits: 1)
            let executor: ManualExecutor
            let waiters: [ManualTask<Void>]

            init(_ executor: ManualExecutor, waiters count: Int, timeout: Duration? = nil) {
                self.executor = executor
                let limiter = limiter
                _ = limiter.tryAcquire()
                waiters = (0..<count).map { _ in
                    executor.start { try await limiter.withPermit(timeout: timeout) {} }
                }
                executor.drain()
            }

            /// Every waiter came out once, and all that was taken was given back.
            func confirmRest() throws {
                let isDone = executor.blockingDrain { waiters.allSatisfy(\.isFinished) }
                try confirm(isDone, "a waiter hangs")
                try confirm(waiters.allSatisfy { $0.outcomes.count == 1 }, "a waiter was resumed twice")
                try confirm(limiter.availablePermits == 1, "\(limiter.availablePermits) permits at rest")
                try confirm(limiter.waiterCount == 0, "somebody was left in the queue")
            }
        }

        @Test func signalAgainstCancellationHasOneOutcome() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ in Round(executor, waiters: 1) },
                sides: [{ $0.limiter.release() }, { $0.waiters[0].cancel() }],
                check: { round in
                    try round.confirmRest()
                    let error = round.waiters[0].error as? Limiter.Error
                    try confirm(
                        round.waiters[0].value != nil || error == .cancelled,
                        "no outcome that is ours"
                    )
                }
            )
        }

        @Test func cancellingTheFirstInLineLosesNoPermit() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ in Round(executor, waiters: 2) },
                sides: [{ $0.limiter.release() }, { $0.waiters[0].cancel() }],
                check: { round in
                    try round.confirmRest()
                    try confirm(round.waiters[1].value != nil, "the permit did not reach the second waiter")
                }
            )
        }

        @Test func cancellationAgainstArrivalFreesTheWaiter() async throws {
            let executor = ManualExecutor()
            let limiter = Limiter(permits: 1)
            #expect(limiter.tryAcquire())
            try await Race.run(
                setUp: { _ in executor.start { try await limiter.withPermit {} } },
                sides: [{ _ in executor.drain() }, { $0.cancel() }],
                check: { waiter in
                    try confirm(
                        executor.blockingDrain { waiter.isFinished },
                        "a cancelled waiter was left in the queue"
                    )
                    try confirm(
                        waiter.error as? Limiter.Error == .cancelled,
                        "it got a permit that is not free"
                    )
                    try confirm(limiter.waiterCount == 0, "the queue still names a waiter that left")
                }
            )
        }
    }
}
