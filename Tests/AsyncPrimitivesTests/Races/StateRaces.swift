import AsyncPrimitives
import Support
import Testing

extension RaceTests {
    struct StateRaces {
        private struct Round: Sendable {
            let state = State(0)
            let reader: ManualTask<Int>

            init(_ executor: ManualExecutor) {
                let state = state
                reader = executor.start { () -> Int in
                    for await value in state where value == 1 { return value }
                    return -1
                }
            }
        }

        @Test func subscriberThatComesDuringSetReachesTheNewValue() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ in Round(executor) },
                sides: [{ _ in executor.drain() }, { $0.state.set(1) }],
                check: { round in
                    // Whom set has woken is on the executor already: a reader not done now never will be.
                    executor.drain()
                    try confirm(round.reader.value == 1, "a subscriber is stuck on the old value")
                    try confirm(round.state.subscriberCount == 0, "a subscriber was not counted out")
                }
            )
        }

        @Test func waitingSubscriberSurvivesTheRaceOfSetAndCancel() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ -> Round in
                    let round = Round(executor)
                    executor.drain()
                    return round
                },
                sides: [{ $0.state.set(1) }, { $0.reader.cancel() }],
                check: { round in
                    executor.drain()
                    try confirm(round.reader.outcomes.count == 1, "\(round.reader.outcomes.count) outcomes")
                    try confirm(round.state.subscriberCount == 0, "a subscriber was not counted out")
                }
            )
        }

        @Test func concurrentUpdatesAreAllCounted() async throws {
            let state = State(0)
            try await Race.run(
                setUp: { $0 },
                sides: Array(repeating: { _ in state.update { $0 += 1 } }, count: 3),
                check: { round in
                    try confirm(state.latest == 3 * (round + 1), "an update was lost: \(state.latest ?? -1)")
                }
            )
        }

        @Test func finishAgainstSetEndsEveryReader() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ -> Round in
                    let round = Round(executor)
                    executor.drain()
                    return round
                },
                sides: [{ $0.state.set(1) }, { $0.state.finish() }],
                check: { round in
                    executor.drain()
                    let latest = round.state.latest
                    try confirm(round.reader.isFinished, "a reader hangs after the end")
                    try confirm(
                        round.reader.value == (latest == 1 ? 1 : -1),
                        "the last value was not delivered"
                    )
                }
            )
        }
    }
}
