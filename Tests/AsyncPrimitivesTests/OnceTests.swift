import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct OnceTests {
    @Test func nothingIsMadeBeforeTheFirstCall() async throws {
        let attempts = Lock(0)
        let once = Once { attempts.withLock { $0 += 1 } }
        #expect(once.valueIfMade == nil)
        #expect(attempts.withLock { $0 } == 0)
        try await once.value()
        try await once.value()
        #expect(once.valueIfMade != nil)
        #expect(attempts.withLock { $0 } == 1)
    }

    @Test func everyCallerGetsTheOneValue() async throws {
        final class Instance: Sendable {}
        let attempts = Lock(0)
        let once = Once<Instance> {
            attempts.withLock { $0 += 1 }
            await Task.yield()
            return Instance()
        }
        let instances = try await withThrowingTaskGroup { group in
            for _ in 0..<200 { group.addTask { try await once.value() } }
            return try await group.reduce(into: Set()) { $0.insert(ObjectIdentifier($1)) }
        }
        #expect(instances.count == 1)
        #expect(attempts.withLock { $0 } == 1)
    }

    @Test func failureIsForItsCallerAndTheNextOneTries() {
        let executor = ManualExecutor()
        let (gate, attempts) = (Gate(), Lock(0))
        let once = Once<Int> {
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            await gate.wait()
            if attempt < 3 { throw Failed() }
            return attempt
        }
        let callers = (0..<4).map { _ in executor.start { try await once.value() } }
        executor.drain()
        #expect(attempts.withLock { $0 } == 1)
        gate.open()
        executor.drain()
        #expect(callers[0].error is Failed)
        #expect(callers[1].error is Failed)
        #expect(callers[2].value == 3)
        #expect(callers[3].value == 3)
        #expect(once.valueIfMade == 3)
    }

    @Test func cancelledMakerHandsTheWorkOver() {
        let executor = ManualExecutor()
        let once = Once<Bool> {
            try Task.checkCancellation()
            await Task.yield()
            try Task.checkCancellation()
            return true
        }
        let maker = executor.start { try await once.value() }
        let waiter = executor.start { try await once.value() }
        maker.cancel()
        executor.drain()
        #expect(maker.error is CancellationError)
        #expect(waiter.value == true)
    }

    @Test func cancelledWaiterLeavesAtOnceAndTheMakerGoesOn() {
        let executor = ManualExecutor()
        let gate = Gate()
        let once = Once<Int> {
            await gate.wait()
            return 1
        }
        let callers = (0..<3).map { _ in executor.start { try await once.value() } }
        executor.drain()
        callers[1].cancel()
        executor.drain()
        #expect(callers[1].error is CancellationError)
        #expect(!callers[0].isFinished && !callers[2].isFinished)
        gate.open()
        executor.drain()
        #expect(callers[0].value == 1 && callers[2].value == 1)
    }

    @Test func closureThatAsksForItsOwnValueIsTold() async throws {
        let back = Lock<Once<String>?>(nil)
        let once = Once<String> {
            do {
                return try await back.withLock { $0 }?.value() ?? "lost"
            } catch is SelfWaitError {
                return "told"
            }
        }
        back.withLock { $0 = once }
        #expect(try await once.value() == "told")
        back.withLock { $0 = nil }
    }

    @Test func resetMakesTheNextCallerMakeAgain() async throws {
        let attempts = Lock(0)
        let once = Once<Int> {
            attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
        }
        #expect(try await once.value() == 1)
        once.reset()
        #expect(once.valueIfMade == nil)
        #expect(try await once.value() == 2)
    }

    @Test func resetWhileTheValueIsMadeChangesNothing() {
        let executor = ManualExecutor()
        let gate = Gate()
        let once = Once<Int> {
            await gate.wait()
            return 1
        }
        let callers = (0..<2).map { _ in executor.start { try await once.value() } }
        executor.drain()
        once.reset()
        gate.open()
        executor.drain()
        #expect(callers.allSatisfy { $0.value == 1 })
    }
}
