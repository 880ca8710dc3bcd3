import Glibc

/// A program with a synchronous `main`, for what can be tested on a real main thread only.
///
/// It runs the scenario that its argument names and exits with 0 when it went as it should.
@main
struct Fixture {
    @MainActor private static let scenarios: [String: @MainActor () throws -> Void] = [
        "main-actor-work-goes-on": Serving.mainActorWorkGoesOn,
        "timers-go-on": Serving.timersGoOn,
        "main-queue-blocks-go-on": Serving.mainQueueBlocksGoOn,
        "early-completion-is-kept": Serving.earlyCompletionIsKept,
        "wakes-at-once": Serving.wakesAtOnce,
        "uses-no-processor-time": Serving.usesNoProcessorTime,
        "nests-in-a-timer": Serving.nestsInATimer,
        "returns-at-the-deadline": Serving.returnsAtTheDeadline,
        "is-cancelled-by-its-handle": Serving.isCancelledByItsHandle,
        "carries-the-operations-error": Serving.carriesTheOperationsError,
        "plain-wait-is-refused": Refusals.plainWait,
        "main-queue-block-is-refused": Refusals.insideMainQueueBlock,
        "main-actor-job-is-refused": Refusals.insideMainActorJob,
        "semaphore-hangs-the-pool": Semaphores.hangThePool,
    ]

    static func main() {
        guard let name = CommandLine.arguments.dropFirst().first, let scenario = scenarios[name] else {
            print(scenarios.keys.sorted().joined(separator: "\n"))
            exit(64)
        }
        do {
            try scenario()
        } catch {
            print("\(name): \(error)")
            exit(1)
        }
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(description: String) {
        self.description = description
    }

    init(of failure: (any Error)?) {
        description = failure.map { "failed with \($0)" } ?? "returned"
    }
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Unexpected(description: message()) }
}
