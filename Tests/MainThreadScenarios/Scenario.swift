import Glibc

/// Something that can be tested on a real main thread only; it throws when it does not go as it should.
public typealias Scenario = @MainActor () throws -> Void

/// Those that hold with Foundation and without.
@MainActor public let allScenarios: [String: Scenario] = [
    "main-actor-work-goes-on": Serving.mainActorWorkGoesOn,
    "main-queue-blocks-go-on": Serving.mainQueueBlocksGoOn,
    "busy-main-queue-starves-nobody": Serving.busyMainQueueStarvesNobody,
    "early-completion-is-kept": Serving.earlyCompletionIsKept,
    "wakes-at-once": Serving.wakesAtOnce,
    "uses-no-processor-time": Serving.usesNoProcessorTime,
    "nests-in-a-stall-report": Serving.nestsInAStallReport,
    "returns-at-the-deadline": Serving.returnsAtTheDeadline,
    "is-cancelled-by-its-handle": Serving.isCancelledByItsHandle,
    "carries-the-operations-error": Serving.carriesTheOperationsError,
    "plain-wait-is-refused": Refusals.plainWait,
    "main-queue-block-is-refused": Refusals.insideMainQueueBlock,
    "main-queue-goes-on-after-a-refusal": Refusals.mainQueueGoesOn,
    "main-actor-job-is-refused": Refusals.insideMainActorJob,
    "async-main-follows": Sequels.asyncMain,
    "dispatch-main-follows": Sequels.dispatchMain,
    "main-actor-job-of-async-main-is-refused": Sequels.refusalInAsyncMain,
]

/// Runs the scenario that the program's argument names, and exits with 0 when it went as it should.
///
/// The alarm ends a program that hangs; shells call that status 142.
@MainActor
public func runScenario(of scenarios: [String: Scenario]) {
    alarm(30)
    guard let name = CommandLine.arguments.dropFirst().first, let scenario = scenarios[name] else {
        print(scenarios.keys.sorted().joined(separator: "\n"))
        exit(64)
    }
    exitAfter { try scenario() }
}

/// Exits with 0, or with 1 and a line that says why.
func exitAfter(_ body: () throws -> Void) {
    do {
        try body()
        exit(0)
    } catch {
        print(error)
        exit(1)
    }
}

/// What went another way than it should.
public struct Unexpected: Error, CustomStringConvertible {
    /// What it was.
    public let description: String

    /// Takes the description as it is.
    public init(description: String) {
        self.description = description
    }

    init(of failure: (any Error)?) {
        description = failure.map { "failed with \($0)" } ?? "returned"
    }
}

/// Throws the message unless the condition holds.
public func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Unexpected(description: message()) }
}
