import AsyncReachability
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct DamperTests {
    private let start = ContinuousClock.now
    private let online = Reachability(path: .wifi, generation: 1)
    private let other = Reachability(path: .wired, generation: 2)
    private let offline = Reachability(path: .offline, generation: 1)

    private func damper(up: Duration = .zero, down: Duration = .zero) -> Damper {
        var damper = Damper()
        damper.hysteresis = Hysteresis(up: up, down: down)
        return damper
    }

    @Test func withoutHysteresisEverythingIsDeliveredAtOnce() {
        var damper = damper()
        let actions = [online, offline, other].map { damper.offer($0, at: start) }
        #expect(actions == [.deliver(online), .deliver(offline), .deliver(other)])
    }

    @Test func firstValueIsNeverHeldBack() {
        var damper = damper(up: .seconds(5), down: .seconds(5))
        #expect(damper.offered(offline, at: start) == .deliver(offline))
    }

    @Test func lossIsHeldBackAndForgottenWhenItPasses() {
        var damper = damper(down: .seconds(2))
        _ = damper.offer(online, at: start)
        #expect(damper.offered(offline, at: start) == .wait(until: start + .seconds(2)))
        #expect(damper.offered(online, at: start + .seconds(1)) == .deliver(online))
        #expect(damper.expired(at: start + .seconds(3)) == .nothing)
    }

    @Test func lossThatLastsIsDeliveredWithItsLatestReason() {
        var damper = damper(down: .seconds(2))
        _ = damper.offer(online, at: start)
        _ = damper.offer(offline, at: start)
        let later = Reachability(path: .unreachable(.noRoute), generation: 1)
        #expect(damper.offered(later, at: start + .seconds(1)) == .wait(until: start + .seconds(2)))
        #expect(damper.expired(at: start + .seconds(2)) == .deliver(later))
    }

    @Test func upAndDownHaveTheirOwnLimits() {
        var damper = damper(up: .seconds(1), down: .zero)
        _ = damper.offer(online, at: start)
        #expect(damper.offered(offline, at: start) == .deliver(offline))
        #expect(damper.offered(other, at: start) == .wait(until: start + .seconds(1)))
        #expect(damper.expired(at: start + .seconds(1)) == .deliver(other))
    }

    @Test func changeBetweenTwoNetworksIsNotHeldBack() {
        var damper = damper(up: .seconds(1), down: .seconds(1))
        _ = damper.offer(online, at: start)
        #expect(damper.offered(other, at: start) == .deliver(other))
    }

    @Test func shorterLimitCountsForWhatIsHeldBackNow() {
        var damper = damper(down: .seconds(60))
        _ = damper.offer(online, at: start)
        _ = damper.offer(offline, at: start)
        damper.hysteresis = .none
        #expect(damper.expired(at: start) == .deliver(offline))
    }

    @Test func negativeLimitsAreZero() {
        #expect(Hysteresis(up: .seconds(-1), down: .seconds(-2)) == .none)
    }
}

/// An expectation can't call what mutates.
extension Damper {
    fileprivate mutating func offered(_ value: Reachability, at now: ContinuousClock.Instant) -> Action {
        offer(value, at: now)
    }

    fileprivate mutating func expired(at now: ContinuousClock.Instant) -> Action {
        expire(at: now)
    }
}
