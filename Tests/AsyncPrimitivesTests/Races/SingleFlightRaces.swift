import AsyncPrimitives
import Glibc
import Support
import Synchronization
import Testing

extension RaceTests {
    struct SingleFlightRaces {
        /// Work that waits until it is told to end, and tells when it is about to.
        private final class Work: Sendable {
            private let door = Gate()
            private let isLanding = Atomic(false)

            func run() async {
                await door.wait()
                isLanding.store(true, ordering: .releasing)
            }

            func end() {
                door.open()
            }

            /// Spins, so that what the caller does next meets the landing.
            func awaitLanding() {
                var turns = 0
                while !isLanding.load(ordering: .acquiring) {
                    turns += 1
                    if turns > 1_000 { sched_yield() }
                }
            }
        }

        private final class Token: Sendable {}

        private struct Round: Sendable {
            let flights: SingleFlight<Int, Token>
            let work = Work()
            let leaders: [ManualTask<Token>]

            init(_ executor: ManualExecutor, _ flights: SingleFlight<Int, Token>, leaders count: Int) {
                self.flights = flights
                let work = work
                leaders = (0..<count).map { _ in
                    executor.start {
                        try await flights.value(for: 0) {
                            await work.run()
                            return Token()
                        }
                    }
                }
                executor.drain()
            }
        }

        /// A caller that may join the flight or, too late for it, start its own.
        private struct JoinRound: Sendable {
            let round: Round
            let joiner: ManualTask<Token>
            let own = Lock<Token?>(nil)

            init(_ executor: ManualExecutor, _ flights: SingleFlight<Int, Token>) {
                round = Round(executor, flights, leaders: 1)
                let own = own
                joiner = executor.start {
                    try await flights.value(for: 0) {
                        let token = Token()
                        own.withLock { $0 = token }
                        return token
                    }
                }
            }
        }

        @Test func joinAgainstFinishGetsTheLeadersResultOrANewFlight() async throws {
            let executor = ManualExecutor()
            let flights = SingleFlight<Int, Token>()
            try await Race.run(
                setUp: { _ in JoinRound(executor, flights) },
                sides: [
                    { $0.round.work.end() },
                    { race in
                        race.round.work.awaitLanding()
                        executor.drain()
                    },
                ],
                check: { race in
                    let leader = race.round.leaders[0]
                    let isDone = executor.blockingDrain { leader.isFinished && race.joiner.isFinished }
                    try confirm(isDone, "a caller that came during the landing hangs")
                    let expected = race.own.withLock { $0 } ?? leader.value
                    try confirm(race.joiner.value === expected, "the joiner got somebody else's result")
                    try confirm(flights.count == 0, "\(flights.count) flights are left")
                }
            )
        }

        @Test func cancelAgainstFinishResumesEachWaiterOnce() async throws {
            let executor = ManualExecutor()
            let flights = SingleFlight<Int, Token>()
            try await Race.run(
                setUp: { _ in Round(executor, flights, leaders: 2) },
                sides: [
                    { $0.work.end() },
                    { round in
                        round.work.awaitLanding()
                        round.leaders[0].cancel()
                    },
                ],
                check: { round in
                    let isDone = executor.blockingDrain { round.leaders.allSatisfy(\.isFinished) }
                    try confirm(isDone, "a waiter hangs")
                    try confirm(round.leaders.allSatisfy { $0.outcomes.count == 1 }, "resumed twice")
                    try confirm(
                        round.leaders[1].value != nil,
                        "a cancellation that was not its own hit the other"
                    )
                    try confirm(flights.count == 0, "\(flights.count) flights are left")
                }
            )
        }

        @Test func lastWaiterThatLeavesDuringTheLandingLeavesNothing() async throws {
            let executor = ManualExecutor()
            let flights = SingleFlight<Int, Token>()
            try await Race.run(
                setUp: { _ in Round(executor, flights, leaders: 1) },
                sides: [
                    { $0.work.end() },
                    { round in
                        round.work.awaitLanding()
                        round.leaders[0].cancel()
                    },
                ],
                check: { round in
                    let isDone = executor.blockingDrain { round.leaders[0].isFinished && flights.count == 0 }
                    try confirm(isDone, "the flight or its waiter is still there")
                    try confirm(round.leaders[0].outcomes.count == 1, "resumed twice")
                }
            )
        }
    }
}
