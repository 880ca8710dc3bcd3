import AsyncBridging
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SyncBridgeLimitTests {
    private let clock = ContinuousClock()

    /// Ignores cancellation, as a badly written operation does.
    private static func stubbornWork(until gate: Gate) async {
        await gate.wait()
    }

    @Test func deadlineReturnsOnTimeFromStubbornWork() async throws {
        let gate = Gate()
        let elapsed = try await onThread { [clock] in
            clock.measure {
                do throws(SyncBridge.Error<Never>) {
                    try SyncBridge.wait(timeout: .milliseconds(50)) { await Self.stubbornWork(until: gate) }
                    Issue.record("The wait returned.")
                } catch .timedOut(let limit, let site) {
                    #expect(limit == .milliseconds(50))
                    #expect(site.fileID.hasSuffix("SyncBridgeLimitTests.swift"))
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        gate.open()
        #expect(elapsed >= .milliseconds(50))
        #expect(elapsed < .milliseconds(80))
    }

    @Test func lateCompletionRunsItsDeferBlocksAndIsDropped() async throws {
        let gate = Gate()
        let cleanedUp = Gate()
        try await onThread {
            #expect(throws: SyncBridge.Error<Never>.self) {
                try SyncBridge.wait(timeout: .milliseconds(5)) {
                    defer { cleanedUp.open() }
                    await Self.stubbornWork(until: gate)
                    await Task.yield()
                }
            }
        }
        gate.open()
        await cleanedUp.wait()
    }

    @Test func lateWorkDoesNotRunInTheNextWaitOfItsThread() async throws {
        let gate = Gate()
        let finished = Gate()
        let lateThread = Lock<Thread?>(nil)
        let caller = try await onThread {
            #expect(throws: SyncBridge.Error<Never>.self) {
                try SyncBridge.wait(timeout: .milliseconds(5)) {
                    await Self.stubbornWork(until: gate)
                    lateThread.withLock { $0 = .current }
                    finished.open()
                }
            }
            try SyncBridge.wait {
                gate.open()
                await finished.wait()
            }
            return Thread.current
        }
        #expect(lateThread.withLock { $0 } != caller)
    }

    @Test func operationIsCancelledWhenItsTimeIsUp() async throws {
        let sawCancellation = Gate()
        try await onThread {
            #expect(throws: (any Error).self) {
                try SyncBridge.wait(timeout: .milliseconds(5)) {
                    do {
                        try await Task.sleep(for: .seconds(60))
                    } catch {
                        sawCancellation.open()
                    }
                }
            }
        }
        await sawCancellation.wait()
    }

    @Test func operationThatNeverStopsYieldingMeetsTheDeadline() async throws {
        let isDone = Lock(false)
        try await onThread {
            #expect(throws: SyncBridge.Error<Never>.self) {
                try SyncBridge.wait(timeout: .milliseconds(20)) {
                    while !isDone.withLock({ $0 }) { await Task.yield() }
                }
            }
        }
        isDone.withLock { $0 = true }
    }

    @Test func handleCancelsFromAnotherThread() async throws {
        let handle = SyncBridge.Handle()
        let gate = Gate()
        let started = Gate()
        async let elapsed = onThread { [clock] in
            try #require(throws: SyncBridge.Error<Never>.self) {
                try SyncBridge.wait(handle: handle) {
                    started.open()
                    await Self.stubbornWork(until: gate)
                }
            }.expectCancelled()
            return clock.now
        }
        await started.wait()
        let cancelled = clock.now
        handle.cancel()
        let returned = try await elapsed
        gate.open()
        #expect(returned - cancelled < .milliseconds(50))
    }

    @Test func cooperativeOperationIsReportedAsCancelledToo() async throws {
        let handle = SyncBridge.Handle()
        let started = Gate()
        async let outcome: Void = onThread {
            try #require(throws: SyncBridge.Error<any Error>.self) {
                try SyncBridge.wait(handle: handle) {
                    started.open()
                    try await Task.sleep(for: .seconds(60))
                }
            }.expectCancelled()
        }
        await started.wait()
        handle.cancel()
        try await outcome
    }

    @Test func cancelledHandleStartsNothing() async throws {
        let handle = SyncBridge.Handle()
        handle.cancel()
        try await onThread {
            try #require(throws: SyncBridge.Error<Never>.self) {
                try SyncBridge.wait(handle: handle) { Issue.record("The operation ran.") }
            }.expectCancelled()
        }
    }

    @Test func cancellationOfTheCallersTaskEndsTheWait() async throws {
        let gate = Gate()
        let started = Gate()
        let task = Task { [clock] in
            let error = #expect(throws: SyncBridge.Error<any Error>.self) {
                try SyncBridgeTests.synchronously {
                    started.open()
                    await Self.stubbornWork(until: gate)
                }
            }
            error?.expectCancelled()
            return clock.now
        }
        await started.wait()
        let cancelled = clock.now
        task.cancel()
        #expect(await task.value - cancelled < .milliseconds(50))
        gate.open()
    }

    @Test func successThatRacesWithCancellationIsKept() async throws {
        let handle = SyncBridge.Handle()
        let value = try await onThread {
            try SyncBridge.wait(handle: handle) {
                handle.cancel()
                return 3
            }
        }
        #expect(value == 3)
    }

    @Test func cancelAgainstFinishHasOneOutcomeEachRound() async throws {
        try await onThread {
            for round in 0..<2000 {
                let handle = SyncBridge.Handle()
                let isStarted = SystemThread.start(name: "canceller") { handle.cancel() }
                try #require(isStarted)
                do throws(SyncBridge.Error<Never>) {
                    let value = try SyncBridge.wait(handle: handle) { round }
                    #expect(value == round)
                } catch {
                    error.expectCancelled()
                }
            }
        }
    }
}

extension SyncBridge.Error {
    fileprivate func expectCancelled(_ location: SourceLocation = #_sourceLocation) {
        guard case .cancelled = self else {
            Issue.record("\(self)", sourceLocation: location)
            return
        }
    }
}
