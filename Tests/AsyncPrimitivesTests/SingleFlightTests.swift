import AsyncPrimitives
import Support
import Testing

private struct Failed: Error, Equatable {
    let number: Int
}

@Suite(.timeLimit(.minutes(1)))
struct SingleFlightTests {
    private enum Trace {
        @TaskLocal static var name = "nobody"
    }

    @Test func hundredCallersCauseOneLoad() async throws {
        let executor = ManualExecutor()
        let flights = SingleFlight<String, Int>()
        let (loads, gate) = (Lock(0), Gate())
        let callers = (0..<100).map { _ in
            executor.start {
                try await flights.value(for: "a") {
                    loads.withLock { $0 += 1 }
                    await gate.wait()
                    return 7
                }
            }
        }
        executor.drain()
        #expect(flights.count == 1)
        gate.open()
        #expect(await executor.drain { callers.allSatisfy(\.isFinished) })
        #expect(callers.allSatisfy { $0.value == 7 })
        #expect(loads.withLock { $0 } == 1)
        #expect(flights.count == 0)
    }

    @Test func otherKeysFlyOnTheirOwn() async throws {
        let flights = SingleFlight<Int, Int>()
        let values = try await withThrowingTaskGroup { group in
            for key in 0..<20 { group.addTask { try await flights.value(for: key) { key } } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(values == Set(0..<20))
    }

    @Test func failureReachesEverybodyAndIsNotRemembered() async throws {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Int>()
        let gate = Gate()
        let callers = (0..<3).map { number in
            executor.start {
                try await flights.value(for: 0) {
                    await gate.wait()
                    throw Failed(number: number)
                }
            }
        }
        executor.drain()
        gate.open()
        #expect(await executor.drain { callers.allSatisfy(\.isFinished) })
        #expect(callers.allSatisfy { $0.error as? Failed == Failed(number: 0) })
        #expect(try await flights.value(for: 0) { 1 } == 1)
    }

    @Test func cancelledWaiterLeavesAtOnceAndTheOthersStay() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Bool>()
        let gate = Gate()
        let callers = (0..<3).map { _ in
            executor.start {
                try await flights.value(for: 0) {
                    await gate.wait()
                    return Task.isCancelled
                }
            }
        }
        executor.drain()
        // The first caller has started the work; it is not more than the others for that.
        callers[0].cancel()
        executor.drain()
        #expect(callers[0].error is CancellationError)
        #expect(!callers[1].isFinished && !callers[2].isFinished)
        gate.open()
        #expect(await executor.drain { callers.allSatisfy(\.isFinished) })
        #expect(callers[1].value == false && callers[2].value == false)
    }

    @Test func cancelledCallerStartsNothing() {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Int>()
        let caller = executor.start { try await flights.value(for: 0) { 1 } }
        caller.cancel()
        executor.drain()
        #expect(caller.error is CancellationError)
        #expect(flights.count == 0)
    }

    @Test func lastOneOutCancelsAndTheNextFlightDoesNotOverlap() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, String>()
        let (gate, wasCancelled, running) = (Gate(), Gate(), Lock(0))
        let old = (0..<2).map { _ in
            executor.start {
                try await flights.value(for: 0) {
                    running.withLock { $0 += 1 }
                    defer { running.withLock { $0 -= 1 } }
                    await withTaskCancellationHandler {
                        await gate.wait()
                    } onCancel: {
                        wasCancelled.open()
                    }
                    return "old"
                }
            }
        }
        #expect(await executor.drain { running.withLock { $0 } == 1 })
        for caller in old { caller.cancel() }
        executor.drain()
        #expect(old.allSatisfy { $0.error is CancellationError })
        #expect(wasCancelled.isOpen)

        let new = executor.start {
            try await flights.value(for: 0) { "new beside \(running.withLock { $0 })" }
        }
        executor.drain()
        #expect(flights.count == 2)
        #expect(!new.isFinished)
        gate.open()
        #expect(await executor.drain { new.isFinished })
        #expect(new.value == "new beside 0")
        #expect(await executor.drain { flights.count == 0 })
    }

    @Test func flightsOfCancelledCallersLandInTheirOrder() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Int>()
        let (gate, starts) = (Gate(), Lock<[Int]>([]))
        var callers: [ManualTask<Int>] = []
        for number in 0..<4 {
            let caller = executor.start {
                try await flights.value(for: 0) {
                    starts.withLock { $0.append(number) }
                    await gate.wait()
                    return number
                }
            }
            _ = await executor.drain { number > 0 || starts.withLock { !$0.isEmpty } }
            if number < 3 { caller.cancel() }
            executor.drain()
            callers.append(caller)
        }
        #expect(flights.count == 4)
        gate.open()
        #expect(await executor.drain { callers.allSatisfy(\.isFinished) })
        #expect(callers[3].value == 3)
        // The two in the middle were cancelled before they began, so their work never ran.
        #expect(starts.withLock { $0 } == [0, 3])
        #expect(await executor.drain { flights.count == 0 })
    }

    @Test func cancelOfAKeyTellsEverybodyAndStopsTheWork() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Int>()
        let (gate, wasCancelled) = (Gate(), Gate())
        let callers = (0..<2).map { _ in
            executor.start {
                try await flights.value(for: 0) {
                    await withTaskCancellationHandler {
                        await gate.wait()
                    } onCancel: {
                        wasCancelled.open()
                    }
                    return 1
                }
            }
        }
        executor.drain()
        #expect(!flights.cancel(1))
        #expect(flights.cancel(0))
        #expect(!flights.cancel(0))
        executor.drain()
        #expect(callers.allSatisfy { $0.error is CancellationError && $0.outcomes.count == 1 })
        gate.open()
        #expect(await executor.drain { flights.count == 0 })
        // Work that had not begun is not begun; work that had is told.
        #expect(wasCancelled.isOpen || callers.allSatisfy { $0.value == nil })
    }

    @Test func cancelAllEndsEveryFlight() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Int>()
        let gate = Gate()
        let callers = (0..<5).map { key in
            executor.start {
                try await flights.value(for: key) {
                    await gate.wait()
                    return key
                }
            }
        }
        executor.drain()
        flights.cancelAll()
        executor.drain()
        #expect(callers.allSatisfy { $0.error is CancellationError })
        gate.open()
        #expect(await executor.drain { flights.count == 0 })
    }

    @Test func forgottenFlightServesItsWaitersAndNobodyElse() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, String>()
        let gate = Gate()
        let old = (0..<2).map { _ in
            executor.start {
                try await flights.value(for: 0) {
                    await gate.wait()
                    return "old"
                }
            }
        }
        executor.drain()
        flights.forget(0)
        let new = executor.start { try await flights.value(for: 0) { "new" } }
        #expect(await executor.drain { new.isFinished })
        #expect(new.value == "new")
        old[0].cancel()
        executor.drain()
        #expect(old[0].error is CancellationError)
        gate.open()
        #expect(await executor.drain { old[1].isFinished })
        #expect(old[1].value == "old")
        #expect(await executor.drain { flights.count == 0 })
    }

    @Test func forgottenFlightThatWaitsForItsPredecessorStillStarts() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Int>()
        let (gate, hasStarted) = (Gate(), Gate())
        let first = executor.start {
            try await flights.value(for: 0) {
                hasStarted.open()
                await gate.wait()
                return 1
            }
        }
        #expect(await executor.drain { hasStarted.isOpen })
        first.cancel()
        executor.drain()
        let second = executor.start { try await flights.value(for: 0) { 2 } }
        executor.drain()
        flights.forget(0)
        let third = executor.start { try await flights.value(for: 0) { 3 } }
        executor.drain()
        gate.open()
        #expect(await executor.drain(within: .seconds(5)) { second.isFinished && third.isFinished })
        #expect(second.value == 2)
        #expect(third.value == 3)
    }

    @Test func keyIsKeptUntilTheWorkHasEnded() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, Int>()
        let (gate, loads) = (Gate(), Lock(0))
        let work: @Sendable () async -> Int = {
            loads.withLock { $0 += 1 }
            await gate.wait()
            return 1
        }
        let first = executor.start { try await flights.value(for: 0, operation: work) }
        let second = executor.start { try await flights.value(for: 0, operation: work) }
        executor.drain()
        first.cancel()
        executor.drain()
        let third = executor.start { try await flights.value(for: 0, operation: work) }
        executor.drain()
        gate.open()
        #expect(await executor.drain { second.isFinished && third.isFinished })
        #expect(loads.withLock { $0 } == 1)
    }

    @Test func workThatAsksForItsOwnKeyIsTold() async throws {
        let flights = SingleFlight<String, String>()
        let value = try await flights.value(for: "a") {
            let inner = try await flights.value(for: "b") {
                do {
                    return try await flights.value(for: "a") { "never" }
                } catch is SelfWaitError {
                    return "told"
                }
            }
            return inner
        }
        #expect(value == "told")
        #expect(flights.count == 0)
    }

    @Test(arguments: [nil, TaskPriority.high])
    func callerOfHigherPriorityRaisesTheWork(joining: TaskPriority?) async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, TaskPriority>()
        let gate = Gate()
        let leader = executor.start {
            try await flights.value(for: 0, priority: .background) {
                await gate.wait()
                return Task.currentPriority
            }
        }
        executor.drain()
        if let joining {
            _ = executor.start { try await flights.value(for: 0, priority: joining) { joining } }
        }
        executor.drain()
        gate.open()
        #expect(await executor.drain { leader.isFinished })
        #expect(leader.value == joining ?? .background)
    }

    @Test func taskLocalsAreTheLeaders() async {
        let executor = ManualExecutor()
        let flights = SingleFlight<Int, String>()
        let gate = Gate()
        let callers = ["leader", "joiner"].map { name in
            Trace.$name.withValue(name) {
                executor.start {
                    try await flights.value(for: 0) {
                        await gate.wait()
                        return Trace.name
                    }
                }
            }
        }
        executor.drain()
        gate.open()
        #expect(await executor.drain { callers.allSatisfy(\.isFinished) })
        #expect(callers.allSatisfy { $0.value == "leader" })
    }
}
