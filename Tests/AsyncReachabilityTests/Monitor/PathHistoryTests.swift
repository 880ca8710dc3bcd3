import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct PathHistoryTests {
    private func generations(_ paths: NetworkPath...) -> [Int] {
        var history = PathHistory()
        return paths.map { history.record($0).generation }
    }

    @Test func thereIsNoGenerationBeforeTheFirstNetwork() {
        #expect(generations(.offline, .unreachable(.noRoute), .wifi) == [0, 0, 1])
    }

    @Test func sameNetworkKeepsItsGeneration() {
        #expect(generations(.wifi, .wifi, .wifi) == [1, 1, 1])
    }

    @Test func otherNetworkOfTheSameModeIsANewGeneration() {
        #expect(generations(.wifi, .otherWifi, .wifi) == [1, 2, 3])
    }

    @Test func networkThatWasLostComesBackAsANewGeneration() {
        #expect(generations(.wifi, .offline, .unreachable(.noAddress), .wifi) == [1, 1, 1, 2])
    }
}
