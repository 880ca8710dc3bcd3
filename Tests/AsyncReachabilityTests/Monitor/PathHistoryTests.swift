import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct PathHistoryTests {
    /// What one watch says, one word after the other.
    private func generations(_ paths: NetworkPath...) -> [Int?] {
        var history = PathHistory()
        return paths.enumerated().map { index, path in
            _ = history.record(path, isFirst: index == 0)
            return history.latest?.generation
        }
    }

    @Test func thereIsNoGenerationBeforeTheFirstNetwork() {
        #expect(generations(.offline, .unreachable(.noRoute), .wifi) == [0, 0, 1])
    }

    @Test func networkThatIsSaidTwiceWasInterruptedInBetween() {
        #expect(generations(.wifi, .wifi, .wifi) == [1, 2, 3])
        #expect(generations(.wifi, .offline, .offline) == [1, 1, 1])
    }

    @Test func newWatchThatFindsTheSameNetworkKeepsItsGeneration() {
        var history = PathHistory()
        let isNew = [NetworkPath.wifi, .wifi, .otherWifi].map { history.record($0, isFirst: true) }
        #expect(isNew == [true, false, true])
        #expect(history.latest?.generation == 2)
    }

    @Test func otherNetworkOfTheSameModeIsANewGeneration() {
        #expect(generations(.wifi, .otherWifi, .wifi) == [1, 2, 3])
    }

    @Test func networkThatWasLostComesBackAsANewGeneration() {
        #expect(generations(.wifi, .offline, .unreachable(.noAddress), .wifi) == [1, 1, 1, 2])
    }

    @Test func verdictCountsForItsOwnNetworkOnly() {
        var history = PathHistory()
        _ = history.record(.wifi, isFirst: true, isProbed: true)
        #expect(history.latest?.validation == .pending)
        _ = history.record(.wired, isFirst: false, isProbed: true)
        let countsForOld = history.record(.portal, about: 1)
        #expect(!countsForOld)
        #expect(history.latest?.validation == .pending)
        let counts = history.record(.validated, about: 2)
        #expect(counts)
        #expect(history.latest?.validation == .done(.validated))
        _ = history.record(.offline, isFirst: false, isProbed: true)
        #expect(history.latest?.validation == Validation.none)
        let countsForNone = history.record(.portal, about: 2)
        #expect(!countsForNone)
    }

    @Test func wordAboutTheCostBeatsTheGuessOfTheRoute() {
        let modem = NetworkRoute(
            mode: .cellular,
            interface: "wwan0",
            localAddress: "10.0.0.2",
            metered: .guessYes
        )
        var history = PathHistory()
        history.record(.no)
        #expect(history.latest == nil)
        _ = history.record(.reachable(modem), isFirst: true)
        #expect(history.latest?.metered == .no)
        history.record(.unknown)
        #expect(history.latest?.metered == .guessYes)
        _ = history.record(.wifi, isFirst: false)
        #expect(history.latest?.metered == .unknown)
    }
}
