import AsyncPrimitives
import Support
import Testing

extension RaceTests {
    struct OneShotRaces {
        private struct Round: Sendable {
            let shot = OneShot<Int>()
            let waiter: ManualTask<Int>
            let wasAccepted = Lock(false)

            init(_ executor: ManualExecutor) {
                let shot = shot
                waiter = executor.start { try await shot.value() }
            }
        }

        private struct GateRound: Sendable {
            let gate = Gate()
            let waiters: [ManualTask<Void>]

            init(_ executor: ManualExecutor) {
                let gate = gate
                waiters = (0..<2).map { _ in executor.start { await gate.wait() } }
            }
        }

        @Test func resultAgainstCancellationResumesTheWaiterOnce() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ -> Round in
                    let round = Round(executor)
                    executor.drain()
                    return round
                },
                sides: [
                    { round in
                        let wasAccepted = round.shot.resolve(.success(7))
                        round.wasAccepted.withLock { $0 = wasAccepted }
                    },
                    { $0.waiter.cancel() },
                ],
                check: { round in
                    executor.drain()
                    let wasAccepted = round.wasAccepted.withLock { $0 }
                    try confirm(round.waiter.outcomes.count == 1, "\(round.waiter.outcomes.count) outcomes")
                    try confirm(
                        (round.waiter.value == 7) == wasAccepted,
                        "resolve did not tell what happened"
                    )
                }
            )
        }

        @Test func resultAgainstArrivalIsNeverLost() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ in Round(executor) },
                sides: [{ _ in executor.drain() }, { $0.shot.resolve(.success(7)) }],
                check: { round in
                    executor.drain()
                    try confirm(round.waiter.value == 7, "the waiter missed the result")
                }
            )
        }

        @Test func gateOpenedDuringArrivalLetsEverybodyThrough() async throws {
            let executor = ManualExecutor()
            try await Race.run(
                setUp: { _ in GateRound(executor) },
                sides: [{ _ in executor.drain() }, { $0.gate.open() }],
                check: { round in
                    executor.drain()
                    try confirm(
                        round.waiters.allSatisfy { $0.outcomes.count == 1 },
                        "somebody stands at the gate"
                    )
                }
            )
        }
    }
}
