import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct ResyncPaceTests {
    private let start = ContinuousClock.now

    @Test func nothingToDoMeansSleepingForEver() {
        var pace = ResyncPace()
        #expect(pace.wait(at: start) == nil)
        pace.mark()
        pace.done(at: start, answered: true)
        #expect(pace.wait(at: start) == nil)
        #expect(!pace.isDue(at: start + .seconds(60)))
    }

    @Test func firstChangeIsDueAtOnce() {
        var pace = ResyncPace()
        pace.mark()
        #expect(pace.isDue(at: start))
        #expect(pace.wait(at: start) == .zero)
    }

    @Test func nextChangeWaitsForItsTurn() {
        var pace = ResyncPace()
        pace.done(at: start, answered: true)
        pace.mark()
        #expect(!pace.isDue(at: start + .milliseconds(1)))
        #expect(pace.wait(at: start + .milliseconds(1)) == .milliseconds(1))
        #expect(pace.isDue(at: start + .milliseconds(2)))
        #expect(pace.wait(at: start + .milliseconds(9)) == .zero)
    }

    @Test func silentKernelIsAskedAgainWithoutAnEvent() {
        var pace = ResyncPace()
        pace.mark()
        pace.done(at: start, answered: false)
        #expect(!pace.isDue(at: start))
        #expect(pace.wait(at: start) == .seconds(1))
        #expect(pace.isDue(at: start + .seconds(1)))
    }

    @Test func waitIsRoundedUpForPoll() {
        #expect(ResyncPace.milliseconds(nil) == -1)
        #expect(ResyncPace.milliseconds(.zero) == 0)
        #expect(ResyncPace.milliseconds(.microseconds(1)) == 1)
        #expect(ResyncPace.milliseconds(.milliseconds(2)) == 2)
        #expect(ResyncPace.milliseconds(.seconds(1) + .nanoseconds(1)) == 1001)
    }
}
