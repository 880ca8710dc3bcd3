import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NetworkActivityTests {
    private let activity = NetworkActivity()

    private struct Failure: Error, Equatable {}

    @Test func everyReaderGetsTheAnswerAtOnceAndThenEachEdge() async {
        var early = activity.isActive.makeAsyncIterator()
        #expect(await early.next() == false)
        let first = activity.begin()
        let second = activity.begin()
        #expect(activity.count == 2)
        #expect(await early.next() == true)
        var late = activity.isActive.makeAsyncIterator()
        #expect(await late.next() == true)
        first.end()
        second.end()
        #expect(await early.next() == false)
        #expect(await late.next() == false)
        #expect(activity.count == 0)
    }

    @Test func aSlowReaderGetsNoEqualNeighbours() async {
        var edges = activity.isActive.makeAsyncIterator()
        #expect(await edges.next() == false)
        for _ in 0..<100 { activity.begin().end() }
        let token = activity.begin()
        #expect(await edges.next() == true)
        token.end()
        #expect(await edges.next() == false)
    }

    @Test func aTokenEndsOnce() {
        let token = activity.begin()
        let other = activity.begin()
        token.end()
        token.end()
        #expect(activity.count == 1)
        other.end()
        other.end()
        #expect(activity.count == 0)
    }

    @Test func aTokenThatIsReleasedEnds() {
        var token: NetworkActivity.Token? = activity.begin()
        #expect(token != nil && activity.count == 1)
        token = nil
        #expect(activity.count == 0)
        token = activity.begin()
        token?.end()
        token = nil
        #expect(activity.count == 0)
    }

    @Test func workCountsWhileItRuns() async {
        let count = await activity.during { activity.count }
        #expect(count == 1)
        #expect(activity.count == 0)
    }

    @Test func workThatThrowsCountsNoMore() async {
        await #expect(throws: Failure()) {
            try await activity.during { () throws(Failure) in throw Failure() }
        }
        #expect(activity.count == 0)
    }

    @Test func cancelledWorkCountsUntilItHasReturned() async {
        let (began, mayReturn) = (Gate(), Gate())
        let task = Task {
            await activity.during {
                began.open()
                await mayReturn.wait()
            }
        }
        await began.wait()
        task.cancel()
        #expect(activity.count == 1)
        mayReturn.open()
        await task.value
        #expect(activity.count == 0)
    }

    @MainActor @Test func workRunsWhereItsCallerRuns() async {
        await activity.during { MainActor.assertIsolated() }
    }

    @Test func aCancelledReaderStopsNoOther() async {
        let reader = Task { for await _ in activity.isActive {} }
        var other = activity.isActive.makeAsyncIterator()
        #expect(await other.next() == false)
        reader.cancel()
        await reader.value
        let token = activity.begin()
        #expect(await other.next() == true)
        token.end()
    }

    @Test func delaysEndByThemselves() async {
        activity.setDelays(show: .milliseconds(2), hide: .milliseconds(2))
        var edges = activity.isActive.makeAsyncIterator()
        #expect(await edges.next() == false)
        for _ in 0..<3 {
            let token = activity.begin()
            #expect(await edges.next() == true)
            token.end()
            #expect(await edges.next() == false)
        }
    }

    @Test func endlessDelaysHoldBackTheEdgesAlone() async {
        activity.setDelays(show: .seconds(Int64.max), hide: .seconds(Int64.max))
        let token = activity.begin()
        var edges = activity.isActive.makeAsyncIterator()
        #expect(await edges.next() == false)
        #expect(activity.count == 1)
        token.end()
    }

    @Test func aReleasedActivityEndsItsStreams() async {
        var activity: NetworkActivity? = NetworkActivity()
        activity?.setDelays(hide: .seconds(3600))
        let edges = activity?.isActive
        activity?.begin().end()
        activity = nil
        var seen: [Bool] = []
        if let edges { for await edge in edges { seen.append(edge) } }
        #expect(seen == [true])
    }

    @Test func twoActivitiesAreEqualOnlyIfTheyAreOne() {
        let other = NetworkActivity()
        #expect(activity == activity && activity != other)
        #expect(Set([activity, activity, other]).count == 2)
    }
}
