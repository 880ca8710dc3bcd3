import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

extension RaceTests {
    struct OnceRaces {
        private struct Round: Sendable {
            let gate = Gate()
            let attempts = Lock(0)
            let callers: [ManualTask<Int>]

            /// The first caller makes the value and fails when the gate opens; two more wait for it.
            init(_ executor: ManualExecutor) {
                let (gate, attempts) = (gate, attempts)
                let once = Once<Int> {
                    let attempt = attempts.withLock { attempts in
                        attempts += 1
                        return attempts
                    }
                    await gate.wait()
                    if attempt == 1 { throw Failed() }
                    return attempt
                }
                callers = (0..<3).map { _ in executor.start { try await once.value() } }
                executor.drain()
            }
        }

        @Test func failureAgainstCancelledWaiterPassesTheTurnOn() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ in Round(executor) },
                sides: [
                    { round in
                        round.gate.open()
                        executor.drain()
                    },
                    { $0.callers[1].cancel() },
                ],
                check: { round in
                    executor.drain()
                    let callers = round.callers
                    try confirm(
                        callers.allSatisfy { $0.outcomes.count == 1 },
                        "a caller hangs or came out twice"
                    )
                    try confirm(callers[0].error is Failed, "the maker did not get its error")
                    let second = callers[1].value == 2 || callers[1].error is CancellationError
                    try confirm(second, "the cancelled waiter got something else")
                    try confirm(callers[2].value == 2, "the last waiter has no value")
                    try confirm(round.attempts.withLock { $0 } == 2, "the value was made more than once")
                }
            )
        }

        @Test func concurrentFirstCallsMakeTheValueOnce() async throws {
            let executors = [ManualExecutor(), ManualExecutor()]
            try await Race.run(
                setUp: { _ -> [ManualTask<Int>] in
                    let attempts = Lock(0)
                    let once = Once<Int> {
                        attempts.withLock { attempts in
                            attempts += 1
                            return attempts
                        }
                    }
                    return executors.map { executor in executor.start { try await once.value() } }
                },
                sides: executors.map { executor in { _ in executor.drain() } },
                check: { callers in
                    for executor in executors { executor.drain() }
                    try confirm(callers.allSatisfy { $0.value == 1 }, "\(callers.map(\.outcomes))")
                }
            )
        }
    }
}
