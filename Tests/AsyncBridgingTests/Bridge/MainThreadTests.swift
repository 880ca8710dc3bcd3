import AsyncBridging
import Support
import Testing

/// What needs a real main thread runs in a program of its own, one process for each scenario.
@Suite(.timeLimit(.minutes(1)))
struct MainThreadTests {
    @Test(arguments: [
        "main-actor-work-goes-on",
        "timers-go-on",
        "main-queue-blocks-go-on",
        "early-completion-is-kept",
        "wakes-at-once",
        "uses-no-processor-time",
        "nests-in-a-timer",
        "returns-at-the-deadline",
        "is-cancelled-by-its-handle",
        "carries-the-operations-error",
    ])
    func servingForm(_ scenario: String) async throws {
        try await run(scenario)
    }

    @Test(arguments: ["plain-wait-is-refused", "main-queue-block-is-refused", "main-actor-job-is-refused"])
    func refusal(_ scenario: String) async throws {
        try await run(scenario)
    }

    @Test func semaphoreHangsWhereTheBridgeDoesNot() async throws {
        try await run("semaphore-hangs-the-pool")
    }

    private func run(_ scenario: String) async throws {
        let child = try await onThread {
            try ChildProcess.run(ChildProcess.productFolder + "/main-thread-fixture", [scenario])
        }
        #expect(child.status == 0, "\(child.output)")
    }
}
