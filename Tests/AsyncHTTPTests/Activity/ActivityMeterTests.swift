import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct ActivityMeterTests {
    private let start = ContinuousClock.now

    private func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func meter(show: Double = 0, hide: Double = 0) -> ActivityMeter {
        var meter = ActivityMeter()
        _ = meter.setDelays(show: .seconds(show), hide: .seconds(hide), at: start)
        return meter
    }

    @Test func withoutDelaysTheFirstShowsAndTheLastHides() {
        var meter = meter()
        var shown: [Bool] = []
        for begins in [true, true, false, false, true, false] {
            #expect((begins ? meter.begin(at: start) : meter.end(at: start)) == nil)
            shown.append(meter.isShown)
        }
        #expect(shown == [true, true, true, false, true, false])
        #expect(meter.count == 0)
    }

    @Test func negativeDelaysCountAsNone() {
        var meter = meter(show: -1, hide: -1)
        #expect(meter.began(at: start) == nil)
        #expect(meter.isShown)
        #expect(meter.ended(at: start) == nil)
        #expect(!meter.isShown)
    }

    @Test func whatEndsBeforeTheShowDelayIsNeverShown() {
        var meter = meter(show: 1)
        #expect(meter.began(at: start) == after(1))
        #expect(meter.ended(at: after(0.9)) == nil)
        #expect(meter.expired(at: after(1)) == nil)
        #expect(!meter.isShown)
    }

    @Test func whatLastsIsShownWhenTheDelayIsOver() {
        var meter = meter(show: 1)
        _ = meter.began(at: start)
        #expect(meter.began(at: after(0.5)) == nil)
        #expect(meter.ended(at: after(0.9)) == nil)
        #expect(!meter.isShown)
        #expect(meter.expired(at: after(1)) == nil)
        #expect(meter.isShown)
    }

    @Test func aGapStartsTheShowDelayAnew() {
        var meter = meter(show: 1)
        _ = meter.began(at: start)
        _ = meter.ended(at: after(0.6))
        // The alarm that is set rings early and is set again.
        #expect(meter.began(at: after(0.8)) == nil)
        #expect(meter.expired(at: after(1)) == after(1.8))
        #expect(!meter.isShown)
        #expect(meter.expired(at: after(1.8)) == nil)
        #expect(meter.isShown)
    }

    @Test func aGapShorterThanTheHideDelayIsBridged() {
        var meter = meter(hide: 2)
        _ = meter.began(at: start)
        #expect(meter.ended(at: after(1)) == after(3))
        #expect(meter.isShown)
        #expect(meter.began(at: after(2)) == nil)
        #expect(meter.expired(at: after(3)) == nil)
        #expect(meter.isShown)
        #expect(meter.ended(at: after(4)) == after(6))
        #expect(meter.expired(at: after(6)) == nil)
        #expect(!meter.isShown)
    }

    @Test func anAlarmForLaterDoesNotHoldUpAnEarlierOne() {
        var meter = meter(show: 1, hide: 10)
        _ = meter.began(at: start)
        _ = meter.expired(at: after(1))
        #expect(meter.ended(at: after(2)) == after(12))
        #expect(meter.began(at: after(3)) == nil)
        #expect(meter.ended(at: after(4)) == nil)
        // Rings for the gap that was bridged; hidden by the next call because the clock says so.
        #expect(meter.expired(at: after(12)) == after(14))
        #expect(meter.expired(at: after(14)) == nil)
        #expect(!meter.isShown)
        #expect(meter.began(at: after(15)) == after(16))
    }

    @Test func aDelayThatIsOverCountsWithoutItsAlarm() {
        var meter = meter(show: 1)
        _ = meter.began(at: start)
        #expect(meter.began(at: after(5)) == nil)
        #expect(meter.isShown)
    }

    @Test func newDelaysMeasureWhatRunsAlready() {
        var meter = meter(show: 10)
        #expect(meter.began(at: start) == after(10))
        #expect(meter.reset(show: 5, at: after(1)) == after(5))
        #expect(meter.reset(show: 20, at: after(2)) == nil)
        #expect(meter.expired(at: after(5)) == after(20))
        #expect(meter.reset(show: 3, at: after(6)) == nil)
        #expect(meter.isShown)
    }

    @Test func edgesAreToldInOrderByOneThreadAtATime() {
        var meter = meter()
        _ = meter.began(at: start)
        #expect(meter.beginsTelling() == true)
        _ = meter.ended(at: start)
        // Another thread comes while the first one tells.
        #expect(meter.beginsTelling() == nil)
        meter.endTelling()
        #expect(meter.beginsTelling() == false)
        meter.endTelling()
        #expect(meter.beginsTelling() == nil)
    }

    @Test func whatIsOverBeforeItIsToldIsNoEdge() {
        var meter = meter()
        _ = meter.began(at: start)
        _ = meter.ended(at: start)
        #expect(meter.beginsTelling() == nil)
    }
}

/// `#expect` takes no call that changes its subject.
extension ActivityMeter {
    fileprivate mutating func began(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        begin(at: now)
    }
    fileprivate mutating func ended(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        end(at: now)
    }
    fileprivate mutating func expired(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        expire(at: now)
    }
    fileprivate mutating func reset(show: Double, at now: ContinuousClock.Instant) -> ContinuousClock.Instant?
    {
        setDelays(show: .seconds(show), hide: .zero, at: now)
    }
    fileprivate mutating func beginsTelling() -> Bool? { beginTelling() }
}
