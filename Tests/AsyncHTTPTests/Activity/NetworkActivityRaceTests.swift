import AsyncBridging
import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(3)))
struct NetworkActivityRaceTests {
    private struct Round: Sendable {
        let activity = NetworkActivity()
        let first: NetworkActivity.Token
        let second = Lock<NetworkActivity.Token?>(nil)

        init() { first = activity.begin() }

        func confirm(count: Int) throws {
            try Support.confirm(activity.count == count, "the count is \(activity.count)")
            let edges = activity.isActive
            let edge = try SyncBridge.wait {
                var edges = edges.makeAsyncIterator()
                return await edges.next()
            }
            try Support.confirm(edge == (count > 0), "\(count) under way, but \(edge as Any) is shown")
        }
    }

    @Test func aTokenEndedByTwoCountsOnce() async throws {
        try await Race.run(
            setUp: { _ in Round() },
            sides: [{ $0.first.end() }, { $0.first.end() }],
            check: { try $0.confirm(count: 0) }
        )
    }

    @Test func theLastEdgeIsTheTruthWhenOneBeginsAsAnotherEnds() async throws {
        try await Race.run(
            setUp: { _ in Round() },
            sides: [
                { $0.first.end() },
                { round in
                    let token = round.activity.begin()
                    round.second.withLock { $0 = token }
                },
            ],
            check: { try $0.confirm(count: 1) }
        )
    }

    @Test func theLastEdgeIsTheTruthWhenAllEnd() async throws {
        try await Race.run(
            setUp: { _ in Round() },
            sides: [{ $0.first.end() }, { $0.activity.begin().end() }],
            check: { try $0.confirm(count: 0) }
        )
    }

    @Test func manyTasksLeaveNothingBehind() async {
        let activity = NetworkActivity()
        activity.setDelays(show: .microseconds(10), hide: .microseconds(10))
        await withTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask { await Self.work(number, in: activity) }
                if number % 7 == 0 { group.cancelAll() }
            }
        }
        #expect(activity.count == 0)
        let isHidden = await activity.isActive.first { !$0 }
        #expect(isHidden == false)
    }

    private static func work(_ number: Int, in activity: NetworkActivity) async {
        for round in 0..<20 {
            switch (number + round) % 3 {
            case 0: await activity.during { await Task.yield() }
            case 1: _ = activity.begin()
            default:
                let token = activity.begin()
                await Task.yield()
                token.end()
            }
        }
    }
}
