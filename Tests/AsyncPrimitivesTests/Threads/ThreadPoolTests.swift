import AsyncPrimitives
import Glibc
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct ThreadPoolTests {
    @Test func workRunsOnANamedThreadOfThePool() async throws {
        let pool = ThreadPool(name: "a-pool-with-a-long-name", maximumThreads: 1)
        let name = try await pool.run { CurrentThread.name }
        #expect(name == "a-pool-with-a-l")
        let isInTask = try await pool.run { withUnsafeCurrentTask { $0 != nil } }
        #expect(!isInTask)
        await #expect(throws: Failed.self) {
            try await pool.run { throw Failed() }
        }
    }

    @Test func blockedCallsDoNotDelayAFreshTask() async throws {
        let pool = ThreadPool(name: "blocked", maximumThreads: 64)
        let (doors, blocked) = (ThreadSemaphore(), Lock(0))
        let calls = (0..<64).map { _ in
            Task {
                try await pool.run {
                    blocked.withLock { $0 += 1 }
                    doors.wait()
                }
            }
        }
        while blocked.withLock({ $0 }) < 64 { await Task.yield() }
        #expect(pool.threadCount == 64)
        // The best of a few, because other tests use the processors too; a starved pool delays every one.
        var best = Duration.seconds(1)
        for _ in 0..<20 where best > .milliseconds(50) {
            let start = ContinuousClock.now
            await Task.detached {}.value
            best = min(best, ContinuousClock.now - start)
        }
        #expect(best <= .milliseconds(50))
        for _ in calls { doors.signal() }
        for call in calls { try await call.value }
    }

    @Test func workStartsInItsOrder() async throws {
        let pool = ThreadPool(name: "order", maximumThreads: 1)
        let executor = ManualExecutor()
        let (door, order) = (ThreadSemaphore(), Lock<[Int]>([]))
        let first = executor.start { try await pool.run { door.wait() } }
        let calls = (0..<200).map { number in
            executor.start { try await pool.run { order.withLock { $0.append(number) } } }
        }
        executor.drain()
        door.signal()
        #expect(await executor.drain { first.isFinished && calls.allSatisfy(\.isFinished) })
        #expect(order.withLock { $0 } == Array(0..<200))
    }

    @Test func cancelledCallThatWaitsIsRemoved() async {
        let pool = ThreadPool(name: "cancel", maximumThreads: 1)
        let executor = ManualExecutor()
        let (door, hasRun) = (ThreadSemaphore(), Lock(false))
        let blocker = executor.start { try await pool.run { door.wait() } }
        executor.drain()
        #expect(await executor.drain { pool.queuedCount == 0 })
        let queued = executor.start { try await pool.run { hasRun.withLock { $0 = true } } }
        executor.drain()
        #expect(pool.queuedCount == 1)
        queued.cancel()
        executor.drain()
        #expect(queued.error is CancellationError)
        #expect(pool.queuedCount == 0)
        door.signal()
        #expect(await executor.drain { blocker.isFinished })
        #expect(!hasRun.withLock { $0 })
    }

    @Test func cancelledCallThatRunsIsLeftAloneAndItsResultDropped() async {
        final class Product: Sendable {}
        let pool = ThreadPool(name: "cancel", maximumThreads: 1)
        let executor = ManualExecutor()
        let (door, hasEnded) = (ThreadSemaphore(), Lock(false))
        let caller = executor.start {
            try await pool.run {
                door.wait()
                hasEnded.withLock { $0 = true }
                return Product()
            }
        }
        executor.drain()
        #expect(await executor.drain { pool.queuedCount == 0 })
        caller.cancel()
        executor.drain()
        #expect(caller.error is CancellationError)
        #expect(!hasEnded.withLock { $0 })
        door.signal()
        #expect(await executor.drain { hasEnded.withLock { $0 } })
        #expect(caller.outcomes.count == 1)
    }

    @Test func cancelledTaskRunsNothing() {
        let pool = ThreadPool(name: "cancel", maximumThreads: 1)
        let executor = ManualExecutor()
        let caller = executor.start { try await pool.run {} }
        caller.cancel()
        executor.drain()
        #expect(caller.error is CancellationError)
        #expect(pool.threadCount == 0)
    }

    @Test func fullQueueRefusesAtOnce() async {
        let pool = ThreadPool(name: "full", maximumThreads: 1, maximumQueued: 2)
        let executor = ManualExecutor()
        let door = ThreadSemaphore()
        let blocker = executor.start { try await pool.run { door.wait() } }
        executor.drain()
        #expect(await executor.drain { pool.queuedCount == 0 })
        let calls = (0..<3).map { number in executor.start { try await pool.run { number } } }
        executor.drain()
        #expect(calls.map(\.isFinished) == [false, false, true])
        #expect(calls[2].error as? ThreadPool.Error == .overloaded(limit: 2))
        door.signal()
        #expect(await executor.drain { blocker.isFinished && calls.allSatisfy(\.isFinished) })
        #expect(calls[0].value == 0 && calls[1].value == 1)
    }

    @Test func threadsAreBoundedAndReused() async throws {
        let pool = ThreadPool(name: "bounded", maximumThreads: 3)
        let threads = Lock<Set<Int32>>([])
        try await withThrowingTaskGroup { group in
            for _ in 0..<500 {
                group.addTask {
                    try await pool.run { _ = threads.withLock { $0.insert(CurrentThread.id) } }
                }
            }
            try await group.waitForAll()
        }
        #expect(pool.threadCount <= 3)
        #expect(threads.withLock { $0.count } <= 3)
    }

    @Test func releasedPoolRunsWhatItTookAndEndsItsThreads() async {
        await #expect(processExitsWith: .success) {
            let executor = ManualExecutor()
            var before = ResourceUse.now
            for round in 0..<20 {
                // The first round opens what the runtime keeps for good.
                if round == 1 { before = ResourceUse.now }
                let pool = ThreadPool(name: "short", maximumThreads: 8)
                let calls = (0..<32).map { number in executor.start { try await pool.run { number } } }
                let isDone = await executor.drain { calls.allSatisfy(\.isFinished) }
                precondition(isDone)
                precondition(calls.compactMap(\.value) == Array(0..<32))
            }
            let isDone = await executor.drain { ResourceUse.now.threads <= before.threads }
            precondition(isDone, "threads are left")
            precondition(ResourceUse.now.descriptors <= before.descriptors, "descriptors are left")
        }
    }

    @Test func poolThatGetsNoThreadSaysSo() async {
        guard !ResourceUse.isSanitized else { return }
        await #expect(processExitsWith: .success) {
            // Room for what runs already and a little more, not for the stack of a thread.
            var limit = rlimit(rlim_cur: 4 << 20, rlim_max: .max)
            limit.rlim_cur += rlim_t(ResourceUse.now.virtualBytes)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let pool = ThreadPool(name: "none", maximumThreads: 4)
            let executor = ManualExecutor()
            let calls = (0..<3).map { _ in executor.start { try await pool.run {} } }
            executor.drain()
            precondition(calls.allSatisfy { $0.error as? ThreadPool.Error == .noThread })
            precondition(pool.threadCount == 0 && pool.queuedCount == 0)
        }
    }

    @Test func workThatRunsToItsEndIsWaitedForByACancelledTaskToo() async throws {
        let pool = ThreadPool(name: "end", maximumThreads: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pool.runToTheEnd { 5 }
        }
        #expect(try await task.value.get() == 5)
    }

    @Test func everyErrorSaysWhatToDo() {
        #expect(ThreadPool.Error.overloaded(limit: 2).description.hasSuffix("."))
        #expect(ThreadPool.Error.noThread.description.contains("ulimit"))
    }
}
