import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct DeadlineTests {
    @Test func absurdDurationsAreHeldAtTheEnds() {
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == 0)
        #expect(Duration.milliseconds(-1).wholeNanoseconds == 0)
        #expect(Duration.microseconds(1_500).wholeNanoseconds == 1_500_000)
        #expect(Deadline(after: .seconds(Int64.max)).nanoseconds == .max)
        #expect(!Deadline(after: .seconds(Int64.max)).hasPassed)
        #expect(Duration.seconds(Int64.max).sleepable > .seconds(4_000_000_000))
        #expect(Duration.seconds(-1).sleepable == .zero)
        #expect(Duration.seconds(5).sleepable == .seconds(5))
    }

    @Test func passedDeadlineLeavesNothing() {
        let deadline = Deadline(after: .zero)
        #expect(deadline.hasPassed)
        #expect(deadline.remaining == .zero)
        let ahead = Deadline(after: .seconds(60))
        #expect(ahead.remaining > .seconds(50) && ahead.remaining <= .seconds(60))
    }

    @Test func semaphoreKeepsItsSignalsAndItsDeadline() {
        let semaphore = ThreadSemaphore()
        semaphore.signal()
        #expect(semaphore.wait(until: Deadline(after: .zero)))
        let start = Deadline.now
        #expect(!semaphore.wait(until: Deadline(after: .milliseconds(5))))
        #expect(Deadline.now - start >= 5_000_000)
    }

    @Test func operationThatIgnoresCancellationIsNotWaitedFor() async {
        let (door, hasEnded) = (Gate(), Gate())
        await #expect(throws: DeadlineExceeded.self) {
            try await withDeadline(.milliseconds(5)) {
                defer { hasEnded.open() }
                await door.wait()
            }
        }
        #expect(!hasEnded.isOpen)
        // The late operation ends in its own time, its defer included.
        door.open()
        await hasEnded.wait()
    }

    @Test func operationIsCancelledWhenItsTimeIsUp() async {
        let wasCancelled = Gate()
        await #expect(throws: DeadlineExceeded.self) {
            try await withDeadline(.zero) {
                await withTaskCancellationHandler {
                    await wasCancelled.wait()
                } onCancel: {
                    wasCancelled.open()
                }
            }
        }
        await wasCancelled.wait()
    }

    @Test func resultAndErrorComeThrough() async throws {
        #expect(try await withDeadline(.seconds(60)) { 7 } == 7)
        await #expect(throws: Failed.self) {
            try await withDeadline(.seconds(60)) { throw Failed() }
        }
        #expect(try await withDeadline(.seconds(Int64.max)) { 8 } == 8)
    }

    @Test func cancelledCallerLeavesAtOnceAndCancelsTheOperation() async {
        let executor = ManualExecutor()
        let wasCancelled = Gate()
        let caller = executor.start {
            try await withDeadline(.seconds(60)) {
                await withTaskCancellationHandler {
                    await wasCancelled.wait()
                } onCancel: {
                    wasCancelled.open()
                }
            }
        }
        executor.drain()
        caller.cancel()
        executor.drain()
        #expect(caller.isFinished)
        #expect(await executor.drain { wasCancelled.isOpen })
    }
}
