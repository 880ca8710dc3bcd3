import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct LazyTests {
    @Test func nothingIsMadeBeforeTheFirstCall() async throws {
        let attempts = Lock(0)
        let lazy = Lazy { attempts.withLock { $0 += 1 } }
        #expect(attempts.withLock { $0 } == 0)
        for _ in 0..<3 { try await lazy.value() }
        #expect(attempts.withLock { $0 } == 1)
        #expect(lazy.valueIfMade != nil)
    }

    @Test func workOutlivesItsOnlyCaller() async {
        let executor = ManualExecutor()
        let gate = Gate()
        let lazy = Lazy<Bool> {
            await gate.wait()
            return Task.isCancelled
        }
        let first = executor.start { try await lazy.value() }
        executor.drain()
        first.cancel()
        executor.drain()
        #expect(first.error is CancellationError)
        let second = executor.start { try await lazy.value() }
        executor.drain()
        gate.open()
        #expect(await executor.drain { second.isFinished })
        #expect(second.value == false)
    }

    @Test func manyCallersShareOnePieceOfWork() async {
        let executor = ManualExecutor()
        let (gate, attempts) = (Gate(), Lock(0))
        let lazy = Lazy<Int> {
            attempts.withLock { $0 += 1 }
            await gate.wait()
            return 1
        }
        let callers = (0..<1_000).map { _ in executor.start { try await lazy.value() } }
        executor.drain()
        for caller in callers.prefix(500) { caller.cancel() }
        executor.drain()
        #expect(callers.prefix(500).allSatisfy { $0.error is CancellationError })
        gate.open()
        #expect(await executor.drain { callers.allSatisfy(\.isFinished) })
        #expect(callers.suffix(500).allSatisfy { $0.value == 1 })
        #expect(attempts.withLock { $0 } == 1)
    }

    @Test func failureReachesEverybodyAndTheNextCallTriesAgain() async {
        let executor = ManualExecutor()
        let (gate, attempts) = (Gate(), Lock(0))
        let lazy = Lazy<Int> {
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            await gate.wait()
            if attempt == 1 { throw Failed() }
            return attempt
        }
        let callers = (0..<3).map { _ in executor.start { try await lazy.value() } }
        executor.drain()
        gate.open()
        #expect(await executor.drain { callers.allSatisfy(\.isFinished) })
        #expect(callers.allSatisfy { $0.error is Failed })
        let retry = executor.start { try await lazy.value() }
        #expect(await executor.drain { retry.isFinished })
        #expect(retry.value == 2)
    }

    @Test func closureThatAsksForItsOwnValueIsTold() async throws {
        let back = Lock<Lazy<String>?>(nil)
        let lazy = Lazy<String> {
            do {
                return try await back.withLock { $0 }?.value() ?? "lost"
            } catch is SelfWaitError {
                return "told"
            }
        }
        back.withLock { $0 = lazy }
        #expect(try await lazy.value() == "told")
        back.withLock { $0 = nil }
    }
}
