import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct LimiterTests {
    @Test func noMoreThanThePermitsRunAtATime() async throws {
        let limiter = Limiter(permits: 3)
        let (running, most) = (Lock(0), Lock(0))
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    try await limiter.withPermit {
                        let now = running.withLock { running in
                            running += 1
                            return running
                        }
                        most.withLock { $0 = max($0, now) }
                        await Task.yield()
                        running.withLock { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(most.withLock { $0 } <= 3)
        #expect(limiter.availablePermits == 3)
        #expect(limiter.waiterCount == 0)
    }

    @Test func waitersAreServedInTheirOrder() {
        let executor = ManualExecutor()
        let limiter = Limiter(permits: 1)
        #expect(limiter.tryAcquire())
        let order = Lock<[Int]>([])
        let waiters = (0..<100).map { number in
            executor.start { try await limiter.withPermit { order.withLock { $0.append(number) } } }
        }
        executor.drain()
        #expect(limiter.waiterCount == 100)
        waiters[50].cancel()
        executor.drain()
        limiter.release()
        executor.drain()
        #expect(order.withLock { $0 } == (0..<100).filter { $0 != 50 })
    }

    @Test func higherPriorityIsServedFirst() async throws {
        let limiter = Limiter(permits: 1)
        try await limiter.acquire()
        let order = Lock<[TaskPriority]>([])
        let priorities: [TaskPriority] = [.low, .high, .medium, .high, .background]
        var tasks: [Task<Void, any Error>] = []
        for (number, priority) in priorities.enumerated() {
            tasks.append(
                Task.detached(priority: priority) {
                    try await limiter.withPermit { order.withLock { $0.append(priority) } }
                }
            )
            while limiter.waiterCount <= number { await Task.yield() }
        }
        limiter.release()
        // To await a task raises its priority, so that has to wait until all have been served.
        while order.withLock({ $0.count }) < tasks.count { await Task.yield() }
        for task in tasks { try await task.value }
        #expect(order.withLock { $0 } == [.high, .high, .medium, .low, .background])
    }

    @Test func aWaiterWhosePriorityIsRaisedMovesUp() async throws {
        let limiter = Limiter(permits: 1)
        try await limiter.acquire()
        let order = Lock<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(
                Task.detached(priority: .low) {
                    try await limiter.withPermit { order.withLock { $0.append(number) } }
                }
            )
            while limiter.waiterCount <= number { await Task.yield() }
        }
        tasks[2].escalatePriority(to: .high)
        limiter.release()
        for task in tasks { try await task.value }
        #expect(order.withLock { $0 } == [2, 0, 1])
    }

    @Test func permitGoesToTheFirstWaiterSoThatNobodyOvertakes() {
        let executor = ManualExecutor()
        let limiter = Limiter(permits: 1)
        #expect(limiter.tryAcquire())
        let waiter = executor.start { try await limiter.withPermit {} }
        executor.drain()
        limiter.release()
        // The waiter has not run yet, and the permit is its own already.
        #expect(!limiter.tryAcquire())
        waiter.cancel()
        executor.drain()
        #expect(waiter.value != nil)
        #expect(limiter.availablePermits == 1)
    }

    @Test func cancelledWaiterLeavesAtOnceAndItsBodyNeverRuns() {
        let executor = ManualExecutor()
        let limiter = Limiter(permits: 1)
        #expect(limiter.tryAcquire())
        let hasRun = Lock(false)
        let waiter = executor.start { try await limiter.withPermit { hasRun.withLock { $0 = true } } }
        executor.drain()
        waiter.cancel()
        // Removal is synchronous: a permit that comes back now is not lost on one who left.
        #expect(limiter.waiterCount == 0)
        limiter.release()
        executor.drain()
        #expect(waiter.error as? Limiter.Error == .cancelled)
        #expect(!hasRun.withLock { $0 })
        #expect(limiter.availablePermits == 1)
    }

    @Test func taskCancelledBeforeItAskedGetsNoPermit() {
        let executor = ManualExecutor()
        let limiter = Limiter(permits: 1)
        let caller = executor.start { try await limiter.withPermit {} }
        caller.cancel()
        executor.drain()
        #expect(caller.error as? Limiter.Error == .cancelled)
        #expect(limiter.availablePermits == 1)
    }

    @Test func bodyThatThrowsReturnsItsPermit() async {
        let limiter = Limiter(permits: 1)
        await #expect(throws: Failed.self) {
            try await limiter.withPermit { throw Failed() }
        }
        #expect(limiter.availablePermits == 1)
    }

    @Test func waiterTimesOutAndLeavesNoTrace() async throws {
        let limiter = Limiter(permits: 1)
        try await limiter.acquire()
        await #expect(throws: Limiter.Error.timedOut(.milliseconds(5))) {
            try await limiter.acquire(timeout: .milliseconds(5))
        }
        await #expect(throws: Limiter.Error.timedOut(.zero)) {
            try await limiter.acquire(timeout: .zero)
        }
        #expect(limiter.waiterCount == 0)
        limiter.release()
        try await limiter.acquire(timeout: .zero)
        #expect(limiter.availablePermits == 0)
    }

    @Test func absurdTimeoutWaitsForThePermit() {
        let executor = ManualExecutor()
        let limiter = Limiter(permits: 1)
        #expect(limiter.tryAcquire())
        let caller = executor.start { try await limiter.acquire(timeout: .seconds(Int64.max)) }
        executor.drain()
        #expect(!caller.isFinished)
        limiter.release()
        executor.drain()
        #expect(caller.value != nil)
    }

    @Test func fullQueueRefusesAtOnce() {
        let executor = ManualExecutor()
        let limiter = Limiter(permits: 1, maximumWaiters: 2)
        #expect(limiter.tryAcquire())
        let callers = (0..<4).map { _ in executor.start { try await limiter.withPermit {} } }
        executor.drain()
        #expect(callers.map(\.isFinished) == [false, false, true, true])
        #expect(callers[2].error as? Limiter.Error == .overloaded(limit: 2))
        limiter.release()
        executor.drain()
        #expect(callers[0].value != nil && callers[1].value != nil)
    }

    @Test func uncancellableWaitIsNotMovedByCancellation() {
        let executor = ManualExecutor()
        let limiter = Limiter(permits: 1)
        #expect(limiter.tryAcquire())
        let caller = executor.start { try await limiter.acquireUncancellably() }
        caller.cancel()
        executor.drain()
        #expect(!caller.isFinished)
        limiter.release()
        executor.drain()
        #expect(caller.value != nil)
        #expect(limiter.availablePermits == 0)
    }

    @Test func everyErrorSaysWhatToDo() {
        let errors: [Limiter.Error] = [.cancelled, .timedOut(.seconds(1)), .overloaded(limit: 2)]
        #expect(Set(errors.map(\.description)).count == 3)
        #expect(errors.allSatisfy { $0.description.hasSuffix(".") })
    }
}
