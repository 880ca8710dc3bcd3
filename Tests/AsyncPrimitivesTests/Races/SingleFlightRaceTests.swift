import AsyncPrimitives
import Support
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SingleFlightRaceTests {
    /// Work that runs on the cooperative pool until it is told to end, so that its landing meets the other side.
    private final class Work: Sendable {
        private let hasStarted = Atomic(false)
        private let mayEnd = Atomic(false)

        func start() {
            hasStarted.store(true, ordering: .releasing)
        }

        var isRunning: Bool { hasStarted.load(ordering: .acquiring) }

        func end() {
            mayEnd.store(true, ordering: .releasing)
        }

        func run() async {
            start()
            var turns = 0
            while !mayEnd.load(ordering: .acquiring) {
                turns += 1
                // On one processor the other side needs a turn, and other tests need theirs.
                if turns.isMultiple(of: 200) { await Task.yield() }
            }
        }
    }

    private final class Token: Sendable {}

    private struct Round: Sendable {
        let flights: SingleFlight<Int, Token>
        let work = Work()
        let leaders: [ManualTask<Token>]

        init(_ executor: ManualExecutor, _ flights: SingleFlight<Int, Token>, leaders count: Int) throws {
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
            try confirm(executor.drain { work.isRunning }, "the work does not start")
        }
    }

    /// A caller that may join the flight or, too late for it, start its own.
    private struct JoinRound: Sendable {
        let round: Round
        let joiner: ManualTask<Token>
        let own = Lock<Token?>(nil)

        init(_ executor: ManualExecutor, _ flights: SingleFlight<Int, Token>) throws {
            round = try Round(executor, flights, leaders: 1)
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
            setUp: { _ in try JoinRound(executor, flights) },
            sides: [{ $0.round.work.end() }, { _ in executor.drain() }],
            check: { race in
                let leader = race.round.leaders[0]
                let isDone = executor.drain { leader.isFinished && race.joiner.isFinished }
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
            setUp: { _ in try Round(executor, flights, leaders: 2) },
            sides: [{ $0.work.end() }, { $0.leaders[0].cancel() }],
            check: { round in
                let isDone = executor.drain { round.leaders.allSatisfy(\.isFinished) }
                try confirm(isDone, "a waiter hangs")
                try confirm(round.leaders.allSatisfy { $0.outcomes.count == 1 }, "resumed twice")
                try confirm(round.leaders[1].value != nil, "a cancellation that was not its own hit the other")
                try confirm(flights.count == 0, "\(flights.count) flights are left")
            }
        )
    }

    @Test func lastWaiterThatLeavesDuringTheLandingLeavesNothing() async throws {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Token>()
        try await Race.run(
            setUp: { _ in try Round(executor, flights, leaders: 1) },
            sides: [{ $0.work.end() }, { $0.leaders[0].cancel() }],
            check: { round in
                let isDone = executor.drain { round.leaders[0].isFinished && flights.count == 0 }
                try confirm(isDone, "the flight or its waiter is still there")
                try confirm(round.leaders[0].outcomes.count == 1, "resumed twice")
            }
        )
    }
}
