import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ThreadExecutorTests {
    private actor Archive {
        private let executor: ThreadExecutor
        private(set) var threads: Set<Int32> = []
        private(set) var numbers: [Int] = []

        init(_ executor: ThreadExecutor = ThreadExecutor(name: "archive")) {
            self.executor = executor
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func note(_ number: Int) {
            threads.insert(CurrentThread.id)
            numbers.append(number)
        }

        func yieldAndNote(_ number: Int) async {
            await Task.yield()
            note(number)
        }

        func threadName() -> String { CurrentThread.name }

        nonisolated func isHere() -> Bool? { executor.isIsolatingCurrentContext() }

        func isHereFromInside() -> Bool? {
            assertIsolated()
            preconditionIsolated()
            return isHere()
        }
    }

    @Test func actorRunsOnOneThreadOfItsOwn() async {
        let archive = Archive()
        await withTaskGroup { group in
            for number in 0..<200 { group.addTask { await archive.yieldAndNote(number) } }
        }
        #expect(await archive.threads.count == 1)
        #expect(await !archive.threads.contains(CurrentThread.id))
        #expect(await archive.numbers.count == 200)
        #expect(await archive.threadName() == "archive")
    }

    @Test func actorsThatShareAnExecutorShareItsThread() async {
        let executor = ThreadExecutor(name: "shared")
        let (first, second) = (Archive(executor), Archive(executor))
        await first.note(1)
        await second.note(1)
        #expect(await first.threads == second.threads)
    }

    @Test func jobsRunInTheOrderInWhichTheyCame() {
        let executor = ThreadExecutor(name: "order")
        let (numbers, end) = (Lock<[Int]>([]), ThreadSemaphore())
        let count = 20_000
        for number in 0..<count {
            Task(executorPreference: executor) {
                numbers.withLock { $0.append(number) }
                if number == count - 1 { end.signal() }
            }
        }
        #expect(end.wait(until: Deadline(after: .seconds(30))))
        #expect(numbers.withLock { $0 } == Array(0..<count))
    }

    @Test func isolationIsKnownInsideAndOutside() async {
        let archive = Archive()
        #expect(archive.isHere() == false)
        #expect(await archive.isHereFromInside() == true)
        #expect(archive.isHere() == false)
    }

    @Test func preferringTaskRunsItsCodeThere() async {
        let executor = ThreadExecutor(name: "preferred")
        let names = await Task(executorPreference: executor) {
            let before = CurrentThread.name
            await Task.yield()
            async let child = CurrentThread.name
            return await [before, CurrentThread.name, child]
        }.value
        #expect(names == Array(repeating: "preferred", count: 3))
    }

    @Test func executorWithoutJobsStartsNoThread() async {
        await #expect(processExitsWith: .success) {
            let before = ResourceUse.now.threads
            let executors = (0..<50).map { ThreadExecutor(name: "idle \($0)") }
            precondition(ResourceUse.now.threads <= before)
            withExtendedLifetime(executors) {}
        }
    }

    @Test func threadEndsWithTheLastUser() async {
        await #expect(processExitsWith: .success) {
            await Archive().note(0)
            let before = ResourceUse.now
            for number in 0..<200 {
                let archive = Archive()
                await archive.note(number)
                let numbers = await archive.numbers
                precondition(numbers == [number])
            }
            let end = Deadline(after: .seconds(20))
            while ResourceUse.now.threads > before.threads, !end.hasPassed { await Task.yield() }
            precondition(ResourceUse.now.threads <= before.threads, "threads are left")
            precondition(ResourceUse.now.descriptors <= before.descriptors, "descriptors are left")
        }
    }

    @Test func executorMayBeReleasedOnItsOwnThread() async {
        weak var last: ThreadExecutor?
        for number in 0..<500 {
            let executor = ThreadExecutor(name: "own")
            last = executor
            let end = Gate()
            // The task is the last one to hold the actor, and ends on the actor's thread.
            Task { [archive = Archive(executor)] in
                await archive.note(number)
                await Self.finish(on: archive, end)
            }
            await end.wait()
        }
        let deadline = Deadline(after: .seconds(20))
        while last != nil, !deadline.hasPassed { await Task.yield() }
        #expect(last == nil)
    }

    private static func finish(on archive: isolated Archive, _ end: Gate) async {
        end.open()
    }

    @Test func jobsThatWereTakenRunBeforeTheThreadEnds() {
        let (count, end) = (Lock(0), ThreadSemaphore())
        do {
            let executor = ThreadExecutor(name: "rest")
            for _ in 0..<1_000 {
                Task(executorPreference: executor) {
                    let now = count.withLock { count in
                        count += 1
                        return count
                    }
                    if now == 1_000 { end.signal() }
                }
            }
        }
        #expect(end.wait(until: Deadline(after: .seconds(30))))
        #expect(count.withLock { $0 } == 1_000)
    }
}
