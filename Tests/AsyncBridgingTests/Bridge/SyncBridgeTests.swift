import AsyncBridging
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SyncBridgeTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    private actor Counter {
        private(set) var total = 0

        func add(_ number: Int) -> Int {
            total += number
            return total
        }
    }

    private enum Locals {
        @TaskLocal static var name = "none"
    }

    @Test func returnsWhatTheOperationReturns() async throws {
        let counter = Counter()
        let total = try await onThread {
            _ = try SyncBridge.wait { await counter.add(1) }
            return try SyncBridge.wait { await counter.add(2) }
        }
        #expect(total == 3)
    }

    @Test func operationsOwnErrorIsToldFromTheBridges() async throws {
        try await onThread {
            do throws(SyncBridge.Error<Failure>) {
                try SyncBridge.wait { () throws(Failure) in throw Failure(number: 7) }
                Issue.record("The wait returned.")
            } catch .operation(let failure) {
                #expect(failure.number == 7)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test func operationThatCannotThrowHasNoOperationError() async throws {
        try await onThread {
            do throws(SyncBridge.Error<Never>) {
                let value = try SyncBridge.wait { 5 }
                #expect(value == 5)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test func completionBeforeTheWaitIsNotLost() async throws {
        try await onThread {
            for number in 0..<10_000 {
                let value = try SyncBridge.wait { number }
                #expect(value == number)
            }
        }
    }

    @Test func operationRunsOnTheThreadThatWaits() async throws {
        try await onThread {
            let caller = Thread.current
            let threads = try SyncBridge.wait {
                let first = Thread.current
                await Task.yield()
                async let child = Thread.current
                return [first, Thread.current, await child]
            }
            #expect(threads == [caller, caller, caller])
        }
    }

    @Test func taskLocalsAndPriorityAreCarried() async throws {
        let task = Task.detached(priority: .low) {
            try Locals.$name.withValue("caller") {
                try SyncBridgeTests.synchronously { (Locals.name, Task.currentPriority) }
            }
        }
        let (name, priority) = try await task.value
        #expect(name == "caller")
        #expect(priority == .low)
    }

    @Test func everyThreadGetsItsOwnResult() async throws {
        let counter = Counter()
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread {
                        for _ in 0..<1000 { _ = try SyncBridge.wait { await counter.add(1) } }
                        return 1000
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(await counter.total == results)
    }

    @Test func poolThreadsThatAllBlockStillFinish() async throws {
        // A semaphore in place of the bridge needs a free pool thread for each operation and never gets one. The
        // sleeps, too, are served by the threads that wait: left to the pool they would take a second.
        let count = ProcessInfo.coreCount * 4
        let clock = ContinuousClock()
        let elapsed = try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        try SyncBridgeTests.synchronously { try await Task.sleep(for: .milliseconds(5)) }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(elapsed < .milliseconds(500))
    }

    @Test func bridgesNestEightDeep() async throws {
        @Sendable func nest(_ depth: Int) throws -> Int {
            if depth == 0 { return 0 }
            return try SyncBridge.wait {
                await Task.yield()
                let inner = try SyncBridgeTests.synchronously { try nestAsync(depth - 1) }
                await Task.yield()
                return inner + 1
            }
        }
        @Sendable func nestAsync(_ depth: Int) throws -> Int { try nest(depth) }
        #expect(try await onThread { try nest(8) } == 8)
    }

    @Test func innerBridgeRunsNoJobOfTheOuterOne() async throws {
        try await onThread {
            let isInside = Lock(false)
            let sawOuterJob = Lock(false)
            try SyncBridge.wait {
                async let sibling: Void = {
                    if isInside.withLock({ $0 }) { sawOuterJob.withLock { $0 = true } }
                }()
                try SyncBridgeTests.synchronously {
                    isInside.withLock { $0 = true }
                    try await Task.sleep(for: .milliseconds(5))
                    isInside.withLock { $0 = false }
                }
                await sibling
            }
            #expect(!sawOuterJob.withLock { $0 })
        }
    }

    /// What a synchronous helper without isolation does: `noasync` does not see through it.
    static func synchronously<Success: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Success
    ) throws -> Success {
        try SyncBridge.wait(operation: operation)
    }
}
