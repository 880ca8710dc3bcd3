import AsyncReachability
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReachabilityTests {
    @Test func reachableValueShowsItsRoute() {
        let value = Reachability(path: .tunnel, generation: 3)
        #expect(value.isReachable)
        #expect(value.mode == .other)
        #expect(value.vpn)
        #expect(value.interface == "wg0")
        #expect(value.localAddress == "10.8.0.2")
        #expect(value.reason == nil)
        #expect(value.description == "other via wg0 from 10.8.0.2 (vpn)")
    }

    @Test func unreachableValueShowsOnlyItsReason() {
        let value = Reachability(path: .unreachable(.prohibited), generation: 1)
        #expect(!value.isReachable)
        #expect(value.mode == .none)
        #expect(!value.vpn)
        #expect(value.interface == nil)
        #expect(value.localAddress == nil)
        #expect(value.reason == .prohibited)
        #expect(value.description.hasPrefix("none: "))
    }

    @Test func everyReasonSaysSomethingElse() {
        let sentences = Set(UnreachableReason.allCases.map(\.description))
        #expect(sentences.count == UnreachableReason.allCases.count)
        #expect(ConnectionMode.allCases.map(\.description) == ["none", "wifi", "cellular", "wired", "other"])
    }

    @Test func routeWithoutAModeStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = NetworkRoute(mode: .none, interface: "eth0", localAddress: "192.0.2.1")
        }
    }
}
