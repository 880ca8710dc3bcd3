import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct WatchGateTests {
    @Test func oneWatchServesEverybody() {
        var gate = WatchGate()
        #expect(gate.subscribe() == .start(1))
        #expect(gate.subscribe() == .nothing)
        #expect(gate.read() == .nothing)
    }

    @Test func nobodyAskedSoResumingStartsNothing() {
        var gate = WatchGate()
        #expect(gate.suspend() == .nothing)
        #expect(gate.resume() == .nothing)
    }

    @Test func suspendingStopsAndResumingStartsANewWatch() {
        var gate = WatchGate()
        _ = gate.subscribe()
        #expect(gate.receive(from: 1)?.publishes == true)
        #expect(gate.suspend() == .stop)
        #expect(gate.suspend() == .nothing)
        #expect(!gate.hasAnswer)
        #expect(gate.subscribe() == .nothing)
        #expect(gate.resume() == .start(2))
        #expect(gate.resume() == .nothing)
    }

    @Test func elementOfAStoppedWatchIsDropped() {
        var gate = WatchGate()
        _ = gate.subscribe()
        _ = gate.suspend()
        #expect(gate.receive(from: 1) == nil)
        _ = gate.resume()
        #expect(gate.receive(from: 1) == nil)
        #expect(gate.receive(from: 2)?.publishes == true)
    }

    @Test func readWhileSuspendedWatchesForOneAnswerAndKeepsItToItself() {
        var gate = WatchGate()
        _ = gate.suspend()
        #expect(gate.read() == .start(1))
        #expect(gate.isWaiting(for: 1))
        let verdict = gate.receive(from: 1)
        #expect(verdict?.publishes == false)
        #expect(verdict?.action == .stop)
        #expect(!gate.isWaiting(for: 1))
    }

    @Test func readerThatWaitsWhenItIsSuspendedStillGetsItsAnswer() {
        var gate = WatchGate()
        #expect(gate.read() == .start(1))
        #expect(gate.suspend() == .nothing)
        let verdict = gate.receive(from: 1)
        #expect(verdict?.action == .stop)
    }

    @Test func resumingBeforeThatAnswerKeepsTheWatch() {
        var gate = WatchGate()
        _ = gate.read()
        _ = gate.suspend()
        #expect(gate.resume() == .nothing)
        let verdict = gate.receive(from: 1)
        #expect(verdict?.publishes == true)
        #expect(verdict?.action == .nothing)
    }
}
