import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TrapTests {
    private final class Instance: Sendable {}

    @Test func eventsWithoutCapacityTrap() async {
        await #expect(processExitsWith: .failure) { _ = Events<Int>(capacity: 0) }
    }

    @Test func limiterWithoutPermitsTraps() async {
        await #expect(processExitsWith: .failure) { _ = Limiter(permits: 0) }
    }

    @Test func poolWithoutThreadsTraps() async {
        await #expect(processExitsWith: .failure) { _ = ThreadPool(name: "none", maximumThreads: 0) }
    }

    @Test func instanceThatAsksForItselfTraps() async {
        await #expect(processExitsWith: .failure) {
            let instances = SharedInstances<Int, Instance>()
            _ = instances.instance(for: 0) { instances.instance(for: 0) { Instance() } }
        }
    }

    @Test func codeOffTheExecutorsThreadTraps() async {
        await #expect(processExitsWith: .failure) { ThreadExecutor(name: "other").checkIsolated() }
    }

    @Test func secondWaiterOfAOneShotTraps() async {
        await #expect(processExitsWith: .failure) {
            let executor = ManualExecutor()
            let shot = OneShot<Int>()
            _ = (0..<2).map { _ in executor.start { try await shot.value() } }
            executor.drain()
        }
    }
}
