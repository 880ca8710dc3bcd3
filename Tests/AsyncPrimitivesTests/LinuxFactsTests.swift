import AsyncPrimitives
import Dispatch
import Support
import Synchronization
import Testing

/// What the library takes for granted about Swift on Linux, so that a change of the toolchain is noticed.
@Suite(.timeLimit(.minutes(2)))
struct LinuxFactsTests {
    private actor Service {
        func thread() -> Int32 { CurrentThread.id }
        func isolationSeen() -> (any Actor)? { caller() }
        func isolationThroughHelper() -> (any Actor)? { helper() }
    }

    @Test func blockedPoolThreadsStopOnlyTheirPriority() async {
        await #expect(processExitsWith: .success) {
            let (doors, stuck) = (ThreadSemaphore(), 4 * ResourceUse.processors)
            for _ in 0..<stuck { Task.detached(priority: .low) { doors.wait() } }
            let (same, other) = (ThreadSemaphore(), ThreadSemaphore())
            Task.detached(priority: .low) { same.signal() }
            Task.detached(priority: .high) { other.signal() }
            precondition(other.wait(until: Deadline(after: .seconds(20))))
            precondition(!same.wait(until: Deadline(after: .milliseconds(50))))
        }
    }

    @Test func blockedGlobalQueueStopsTasksAndOwnThreadsDoNot() async {
        await #expect(processExitsWith: .success) {
            let doors = ThreadSemaphore()
            for _ in 0..<100 { DispatchQueue.global().async { doors.wait() } }
            let (task, thread) = (ThreadSemaphore(), ThreadSemaphore())
            Task.detached(priority: .medium) { task.signal() }
            precondition(SystemThread.start(name: "own") { thread.signal() })
            precondition(thread.wait(until: Deadline(after: .seconds(20))))
            precondition(!task.wait(until: Deadline(after: .milliseconds(50))))
        }
    }

    @Test func mainActorLeavesTheMainThread() async {
        let isMain = await Task { @MainActor in
            await Task.yield()
            return CurrentThread.isMain
        }.value
        #expect(!isMain)
    }

    @Test func mainQueueIsRecognisedByItsSpecificValue() async {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
        #expect(DispatchQueue.getSpecific(key: key) == nil)
        let onMainActor = await Task { @MainActor in
            await Task.yield()
            return DispatchQueue.getSpecific(key: key)
        }.value
        #expect(onMainActor == true)
        #expect(await Task.detached { DispatchQueue.getSpecific(key: key) }.value == nil)
    }

    @Test func currentTaskIsSeenInTasksAndNotOnOwnThreads() async throws {
        #expect(Self.isInTask)
        #expect(await withCheckedContinuation { $0.resume(returning: Self.isInTask) })
        let elsewhere = OneShot<[Bool]>()
        _ = SystemThread.start(name: "facts") {
            let before = Self.isInTask
            let inTask = Lock(false)
            _ = Task.immediate { inTask.withLock { $0 = Self.isInTask } }
            elsewhere.resolve(.success([before, inTask.withLock { $0 }, Self.isInTask]))
        }
        #expect(try await elsewhere.value() == [false, true, false])
        let onQueue = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Self.isInTask) }
        }
        #expect(!onQueue)
    }

    @Test func isolationShowsTheActorAndAHelperHidesIt() async {
        let service = Service()
        #expect(await service.isolationSeen() === service)
        #expect(await service.isolationThroughHelper() == nil)
    }

    @Test func taskExecutorRunsDefaultActorsAndChildrenButNoUnstructuredTask() async {
        let executor = ThreadExecutor(name: "facts")
        let service = Service()
        let threads = await Task(executorPreference: executor) { () -> [Int32] in
            async let child = CurrentThread.id
            let own = CurrentThread.id
            let unstructured = await Task { CurrentThread.id }.value
            return await [own, child, service.thread(), unstructured]
        }.value
        #expect(threads[0] == threads[1])
        #expect(threads[0] == threads[2])
        #expect(threads[0] != threads[3])
    }

    @Test func taskCarriesTaskLocalsAndDetachedDoesNot() async {
        let values = await Local.$value.withValue(1) {
            await (Task { Local.value }.value, Task.detached { Local.value }.value)
        }
        #expect(values == (1, 0))
    }

    @Test func waitingForATaskIgnoresTheCancellationOfTheWaiter() async {
        let executor = ManualExecutor()
        let gate = Gate()
        let work = Task { await gate.wait() }
        let waiter = executor.start { await work.value }
        executor.drain()
        waiter.cancel()
        executor.drain()
        #expect(!waiter.isFinished)
        gate.open()
        #expect(await executor.drain { waiter.isFinished })
    }

    @Test func cancellingOneIteratorOfAnAsyncStreamEndsItForAll() {
        let executor = ManualExecutor()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let reader = executor.start {
            for await _ in stream {}
        }
        executor.drain()
        reader.cancel()
        executor.drain()
        guard case .terminated = continuation.yield(1) else {
            Issue.record("An AsyncStream survives one of its readers now; see whether State can be simpler.")
            return
        }
    }

    @Test func priorityOfARunningTaskCanBeRaised() async {
        let (isRunning, gate) = (Gate(), Gate())
        let task = Task.detached(priority: .background) {
            isRunning.open()
            await gate.wait()
            return Task.currentPriority
        }
        await isRunning.wait()
        task.escalatePriority(to: .high)
        gate.open()
        #expect(await task.value >= .high)
    }

    private static var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }

    private enum Local {
        @TaskLocal static var value = 0
    }
}

private func caller(isolation: (any Actor)? = #isolation) -> (any Actor)? { isolation }

private func helper() -> (any Actor)? { caller() }
