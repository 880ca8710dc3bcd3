import AsyncBridging
import Support
import Testing

/// What needs a real main thread runs in a program of its own, one process for each scenario.
///
/// There are two programs: one with Foundation, whose main thread has a run loop, and one without.
@Suite(.timeLimit(.minutes(1)))
struct MainThreadTests {
    enum Program: String, CaseIterable {
        case withFoundation = "main-thread-fixture"
        case withoutFoundation = "main-queue-fixture"
    }

    @Test(
        arguments: Program.allCases,
        [
            "main-actor-work-goes-on",
            "main-queue-blocks-go-on",
            "busy-main-queue-starves-nobody",
            "early-completion-is-kept",
            "wakes-at-once",
            "uses-no-processor-time",
            "nests-in-a-stall-report",
            "returns-at-the-deadline",
            "is-cancelled-by-its-handle",
            "carries-the-operations-error",
        ]
    )
    func servingForm(_ program: Program, _ scenario: String) async throws {
        try await run(program, scenario)
    }

    @Test(arguments: ["timers-go-on", "nests-in-a-timer"])
    func servingFormRunsTimers(_ scenario: String) async throws {
        try await run(.withFoundation, scenario)
    }

    @Test(
        arguments: Program.allCases,
        [
            "plain-wait-is-refused",
            "main-queue-block-is-refused",
            "main-queue-goes-on-after-a-refusal",
            "main-actor-job-is-refused",
            "main-actor-job-of-async-main-is-refused",
        ]
    )
    func refusal(_ program: Program, _ scenario: String) async throws {
        try await run(program, scenario)
    }

    @Test(arguments: Program.allCases, ["async-main-follows", "dispatch-main-follows"])
    func waitLeavesTheMainQueueUsable(_ program: Program, _ scenario: String) async throws {
        try await run(program, scenario)
    }

    @Test func semaphoreHangsWhereTheBridgeDoesNot() async throws {
        try await run(.withFoundation, "semaphore-hangs-the-pool")
    }

    @Test func bridgeLinksNoFoundation() async throws {
        let path = ChildProcess.productFolder + "/" + Program.withoutFoundation.rawValue
        let child = try await onThread { try ChildProcess.run("/usr/bin/ldd", [path]) }
        #expect(child.status == 0 && child.output.contains("libdispatch"), "\(child.output)")
        #expect(!child.output.contains("Foundation"), "\(child.output)")
    }

    private func run(_ program: Program, _ scenario: String) async throws {
        let child = try await onThread {
            try ChildProcess.run(ChildProcess.productFolder + "/" + program.rawValue, [scenario])
        }
        #expect(child.status == 0, "\(child.output)")
    }
}
