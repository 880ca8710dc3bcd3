import AsyncPrimitives
import Testing

/// What is awaited on an actor stays on it until there is something to wait for, and calls back there.
@Suite(.timeLimit(.minutes(1)))
struct IsolationTests {
    @MainActor @Test func parkingDoesNotLeaveTheActor() async {
        let value: Int = await suspendCancellably(onCancel: {}) { continuation in
            MainActor.assertIsolated()
            continuation.resume(returning: 3)
        }
        #expect(value == 3)
    }

    @MainActor @Test func bodyWithAPermitRunsOnTheCallersActor() async throws {
        try await Limiter(permits: 1).withPermit { MainActor.assertIsolated() }
    }

    @MainActor @Test func callerHasJoinedAFlightBeforeItsActorDoesAnythingElse() async throws {
        let flights = SingleFlight<Int, Int>()
        let gate = Gate()
        let caller = Task.immediate { @MainActor in
            try await flights.value(for: 1) {
                await gate.wait()
                return 7
            }
        }
        #expect(flights.count == 1)
        gate.open()
        #expect(try await caller.value == 7)
    }
}
