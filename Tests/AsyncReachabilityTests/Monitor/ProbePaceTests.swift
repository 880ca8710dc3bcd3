import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct ProbePaceTests {
    private func pauses(_ verdicts: [ProbeVerdict]) -> [Duration] {
        var pace = ProbePace()
        return verdicts.map { pace.pause(after: $0, stretch: 1) }
    }

    @Test func failuresAreTriedAgainAfterDoublingPausesUpToTenMinutes() {
        let seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]
        #expect(pauses(Array(repeating: .failed, count: 13)) == seconds.map { .seconds($0) })
    }

    @Test func manyFailuresDoNotOverflow() {
        #expect(pauses(Array(repeating: .failed, count: 1000)).last == .seconds(600))
    }

    @Test func otherVerdictsHaveTheirOwnPauseAndStartOver() {
        let verdicts: [ProbeVerdict] = [.failed, .failed, .portal, .failed, .failed, .validated, .failed]
        #expect(pauses(verdicts) == [1, 2, 10, 1, 2, 300, 1].map { .seconds($0) })
    }

    @Test func pausesAreStretchedByUpToATenth() {
        var pace = ProbePace()
        #expect(pace.pause(after: .portal, stretch: 1.1) == .seconds(11))
        for _ in 0..<1000 {
            let pause = pace.pause(after: .validated)
            #expect(pause >= .seconds(300) && pause <= .seconds(330))
        }
    }

    @Test func machinesDoNotAskAtTheSameMoment() {
        var pace = ProbePace()
        #expect(Set((0..<100).map { _ in pace.pause(after: .portal) }).count > 10)
    }
}
