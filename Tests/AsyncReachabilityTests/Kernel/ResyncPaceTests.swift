import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct ResyncPaceTests {
    private let start = ContinuousClock.now

    @Test func nothingToDoMeansSleepingForEver() {
        var pace = ResyncPace()
        #expect(pace.due(at: start) == nil)
        pace.done(at: start, answered: true)
        #expect(pace.due(at: start) == nil)
        #expect(!pace.isDue(at: start + .seconds(60)))
    }

    /// The first answer may name a route that is just about to go.
    @Test func anAnswerIsAskedForTwiceMoreAndThenNoMore() {
        var pace = ResyncPace()
        pace.mark()
        var now = start
        for milliseconds in [10, 250] {
            pace.done(at: now, answered: true)
            #expect(!pace.isDue(at: now + .milliseconds(milliseconds - 1)))
            now += .milliseconds(milliseconds)
            #expect(pace.due(at: now) == now)
            #expect(pace.isDue(at: now))
        }
        pace.done(at: now, answered: true)
        #expect(pace.due(at: now) == nil)
    }

    @Test func aChangeBetweenBeginsAnew() {
        var pace = ResyncPace()
        pace.mark()
        pace.done(at: start, answered: true)
        pace.mark()
        #expect(pace.due(at: start) == start + .milliseconds(2))
        pace.done(at: start + .milliseconds(2), answered: true)
        #expect(pace.due(at: start) == start + .milliseconds(12))
    }

    @Test func firstChangeIsDueAtOnce() {
        var pace = ResyncPace()
        pace.mark()
        #expect(pace.isDue(at: start))
        #expect(pace.due(at: start) == start)
    }

    @Test func nextChangeWaitsForItsTurn() {
        var pace = ResyncPace()
        pace.done(at: start, answered: true)
        pace.mark()
        #expect(!pace.isDue(at: start + .milliseconds(1)))
        #expect(pace.due(at: start + .milliseconds(1)) == start + .milliseconds(2))
        #expect(pace.isDue(at: start + .milliseconds(2)))
    }

    @Test func silentKernelIsAskedAgainWithoutAnEventAndEverMoreSlowly() {
        var pace = ResyncPace()
        pace.mark()
        var now = start
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            pace.done(at: now, answered: false)
            #expect(!pace.isDue(at: now))
            #expect(pace.due(at: now) == now + .seconds(seconds))
            now += .seconds(seconds)
            #expect(pace.isDue(at: now))
        }
        pace.done(at: now, answered: true)
        pace.done(at: now, answered: false)
        #expect(pace.due(at: now) == now + .seconds(1))
    }
}
