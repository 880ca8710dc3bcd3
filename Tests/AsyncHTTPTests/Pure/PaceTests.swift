import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct PaceTests {
    private let start = ContinuousClock.now
    private let limit = Duration.seconds(10)

    @Test func withoutALimitThereIsNoEnd() {
        #expect(Pace(limit: nil, now: start).end(at: start, connectedAfter: .zero) == nil)
    }

    @Test func timeBeforeTheConnectionDoesNotCount() {
        let pace = Pace(limit: limit, now: start)
        let late = start + .seconds(100)
        #expect(pace.end(at: late, connectedAfter: nil) == late + limit)
        #expect(pace.end(at: late, connectedAfter: .seconds(99)) == start + .seconds(99) + limit)
    }

    @Test func aDirectionThatIsHeldStaysSoWhenTheOtherMoves() {
        var pace = Pace(limit: limit, now: start)
        pace.hold(.sending)
        pace.move(.receiving)
        let late = start + .seconds(1000)
        #expect(pace.end(at: late, connectedAfter: .zero) == late + limit)
        pace.move(.sending)
        #expect(pace.end(at: late, connectedAfter: .zero).map { $0 < late } == true)
    }

    @Test func goingOnStartsAnew() {
        var pace = Pace(limit: limit, now: start)
        pace.hold(.receiving)
        pace.goOn(at: start + .seconds(5))
        #expect(pace.end(at: start, connectedAfter: .zero) == start + .seconds(15))
    }
}
