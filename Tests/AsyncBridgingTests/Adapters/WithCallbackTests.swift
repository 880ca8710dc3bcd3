import AsyncPrimitives
import Glibc
import Testing

@testable import AsyncBridging

@Suite(.timeLimit(.minutes(1)))
struct WithCallbackTests {
    private let fetcher = LegacyFetcher()

    private func fetch(timeout: Duration? = nil) async throws(CallbackError) -> Int {
        try await withCancellableCallback(timeout: timeout) { callback in
            let token = fetcher.fetch("a.png") { callback($0) }
            return { token.cancel() }
        }
    }

    @Test func callbackDuringTheStartIsKept() async throws {
        let value = try await withCallback(of: Int.self) { $0(7) }
        #expect(value == 7)
    }

    @Test func callbackFromAnotherThreadEndsTheWait() async throws {
        let value = try await withCallback(of: Int.self) { callback in
            onOwnThread { callback(8) }
        }
        #expect(value == 8)
    }

    @Test func successNeverStopsTheWork() async throws {
        async let value = fetch(timeout: .seconds(30))
        try await Task.detached { [fetcher] in
            while !fetcher.isWaiting { try await Task.sleep(for: .milliseconds(1)) }
            fetcher.completeAll(.success(9))
        }.value
        #expect(try await value == 9)
        #expect(fetcher.cancelCount == 0)
    }

    @Test func errorOfTheOperationIsToldFromTheAdaptersOwn() async {
        do {
            _ = try await withCallback(of: Int.self) { callback in
                callback(Result<Int, LegacyFetcher.NotFound>.failure(.init(name: "a.png")))
            }
            Issue.record("The failure was lost.")
        } catch .operation(let error as LegacyFetcher.NotFound) {
            #expect(error == .init(name: "a.png"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func cancellationErrorOfTheOperationIsNotTheCallersCancellation() async {
        await #expect { try await withCallback(of: Int.self) { $0(throwing: CancellationError()) } } throws: {
            guard case CallbackError.operation(is CancellationError) = $0 else { return false }
            return true
        }
    }

    @Test func errorAtTheStartIsThrownAndLaterCallsAreLate() async throws {
        let holder = Holder<Int>()
        await #expect {
            try await withCancellableCallback(of: Int.self) { callback in
                holder.hold(callback)
                throw LegacyFetcher.NotFound(name: "b.png")
            }
        } throws: {
            guard case CallbackError.operation(is LegacyFetcher.NotFound) = $0 else { return false }
            return true
        }
        #expect(holder.callback?(1) == .late)
    }

    @Test func callbackBeforeAnErrorAtTheStartCounts() async throws {
        let value = try await withCallback(of: Int.self) { callback in
            callback(1)
            throw LegacyFetcher.NotFound(name: "c.png")
        }
        #expect(value == 1)
    }

    @Test func deadlineEndsTheWaitAndStopsTheWorkOnce() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        await #expect { try await fetch(timeout: .milliseconds(50)) } throws: { error in
            guard case CallbackError.timedOut(.milliseconds(50), let site) = error else { return false }
            return site.fileID == #fileID
        }
        #expect(clock.now - start < .seconds(5))
        #expect(fetcher.cancelCount == 1)
        fetcher.completeAll(.success(1))
        #expect(fetcher.cancelCount == 1)
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func callbackDuringTheStartBeatsADeadlineThatHasPassed(limit: Duration) async throws {
        #expect(try await withCallback(timeout: limit) { $0(1) } == 1)
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func deadlineThatHasPassedEndsTheWait(limit: Duration) async throws {
        await #expect(throws: CallbackError.self) { try await fetch(timeout: limit) }
        #expect(fetcher.cancelCount == 1)
    }

    @Test func longestDeadlineDoesNotTrap() async throws {
        let value = try await withCallback(of: Int.self, timeout: .seconds(Int64.max)) { callback in
            Task.detached {
                try await Task.sleep(for: .milliseconds(20))
                callback(3)
            }
        }
        #expect(value == 3)
    }

    @Test func cancellationEndsTheWaitAndStopsTheWorkOnce() async throws {
        let task = Task { try await fetch() }
        while !fetcher.isWaiting { await Task.yield() }
        task.cancel()
        await #expect { try await task.value } throws: {
            guard case CallbackError.cancelled = $0 else { return false }
            return true
        }
        #expect(fetcher.cancelCount == 1)
    }

    @Test func cancelledTaskDoesNotStartTheWork() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await fetch()
        }
        await #expect(throws: CallbackError.self) { try await task.value }
        #expect(!fetcher.isWaiting)
        #expect(fetcher.cancelCount == 0)
    }

    @Test func taskThatIsCancelledDuringTheStartStopsTheWork() async {
        let task = Task {
            try await withCancellableCallback(of: Int.self) { callback in
                let token = fetcher.fetch("a.png") { callback($0) }
                withUnsafeCurrentTask { $0?.cancel() }
                return { token.cancel() }
            }
        }
        await #expect(throws: CallbackError.self) { try await task.value }
        #expect(fetcher.cancelCount == 1)
    }

    @Test func stoppingMayCallTheCallbackAtOnce() async throws {
        let deliveries = Log<Callback<Int>.Delivery>()
        await #expect(throws: CallbackError.self) {
            try await withCancellableCallback(of: Int.self, timeout: .milliseconds(10)) { callback in
                return { deliveries.add(callback(1)) }
            }
        }
        #expect(deliveries.entries == [.late])
    }

    @Test func resultAfterTheDeadlineIsDroppedWithItsMemory() async throws {
        final class Payload: Sendable {}
        let holder = Holder<Payload>()
        await #expect(throws: CallbackError.self) {
            try await withCallback(timeout: .milliseconds(10)) { holder.hold($0) }
        }
        let callback = try #require(holder.callback)
        weak var dropped: Payload?
        do {
            let payload = Payload()
            dropped = payload
            #expect(callback(payload) == .late)
        }
        #expect(dropped == nil)
    }

    @Test func startAndStopRunOnTheCallersActor() async {
        _ = await Task { @MainActor in
            await #expect(throws: CallbackError.self) {
                try await withCancellableCallback(of: Int.self, timeout: .milliseconds(10)) { callback in
                    MainActor.assertIsolated()
                    return {
                        MainActor.assertIsolated()
                        withExtendedLifetime(callback) {}
                    }
                }
            }
        }.value
    }

    @Test func functionOfCWithUserDataCallsBack() async throws {
        let value = try await withCallback(of: Int.self) { callback in
            var thread = pthread_t()
            let status = pthread_create(
                &thread,
                nil,
                { data in
                    guard let data else { return nil }
                    Unmanaged<Callback<Int>>.fromOpaque(data).takeRetainedValue()(42)
                    return nil
                },
                Unmanaged.passRetained(callback).toOpaque()
            )
            #expect(status == 0)
            pthread_detach(thread)
        }
        #expect(value == 42)
    }
}
