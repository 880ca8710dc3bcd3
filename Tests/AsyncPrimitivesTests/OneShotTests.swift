import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct OneShotTests {
    @Test func firstResultWinsAndTheSecondIsRefused() async throws {
        let shot = OneShot<Int>()
        #expect(shot.resolve(.success(1)))
        #expect(!shot.resolve(.success(2)))
        #expect(!shot.resolve(.failure(Failed())))
        #expect(try await shot.value() == 1)
    }

    @Test func resultThatComesLaterResumesTheWaiter() {
        let executor = ManualExecutor()
        let shot = OneShot<Int>()
        let waiter = executor.start { try await shot.value() }
        executor.drain()
        #expect(!waiter.isFinished)
        #expect(shot.resolve(.failure(Failed())))
        executor.drain()
        #expect(waiter.error is Failed)
    }

    @Test func cancelledWaiterLeavesAtOnceAndTheResultIsRefused() {
        let executor = ManualExecutor()
        for isCancelledFirst in [true, false] {
            let shot = OneShot<Int>()
            let waiter = executor.start { try await shot.value() }
            if isCancelledFirst { waiter.cancel() }
            executor.drain()
            waiter.cancel()
            executor.drain()
            #expect(waiter.error is CancellationError)
            #expect(!shot.resolve(.success(1)))
            #expect(waiter.outcomes.count == 1)
        }
    }

    @Test func resultThatIsThereIsTakenByACancelledTask() {
        let executor = ManualExecutor()
        let shot = OneShot<Int>()
        shot.resolve(.success(1))
        let waiter = executor.start { try await shot.value() }
        waiter.cancel()
        executor.drain()
        #expect(waiter.value == 1)
    }

    @Test func openedGateLetsEverybodyThroughForGood() {
        let executor = ManualExecutor()
        let gate = Gate()
        let early = (0..<10).map { _ in executor.start { await gate.wait() } }
        executor.drain()
        early[0].cancel()
        executor.drain()
        #expect(early.allSatisfy { !$0.isFinished })
        gate.open()
        gate.open()
        let late = executor.start { await gate.wait() }
        executor.drain()
        #expect(early.allSatisfy { $0.outcomes.count == 1 })
        #expect(late.isFinished)
    }
}
