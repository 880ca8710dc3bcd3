import AsyncPrimitives
import Testing

@testable import AsyncBridging

@Suite(.timeLimit(.minutes(1)))
struct CallbackTests {
    private struct Failed: Error {}

    @Test func secondCallIsIgnoredToldAndReported() async throws {
        let reports = Log<CallbackError>()
        let deliveries = Log<Callback<Int>.Delivery>()
        let line: UInt = #line + 1
        let value = try await withCallback(of: Int.self, onMisuse: { reports.add($0) }) { callback in
            deliveries.add(callback(1))
            deliveries.add(callback(2))
            deliveries.add(callback(throwing: Failed()))
        }
        #expect(value == 1)
        #expect(deliveries.entries == [.accepted, .repeated, .repeated])
        let sites = reports.entries.map { report in
            if case .calledTwice(let site) = report { site.description } else { "" }
        }
        #expect(sites == ["\(#fileID):\(line)", "\(#fileID):\(line)"])
    }

    @Test func secondCallIsReportedEvenAfterTheDeadline() async throws {
        let reports = Log<CallbackError>()
        let holder = Holder<Int>()
        await #expect(throws: CallbackError.self) {
            try await withCallback(timeout: .milliseconds(10), onMisuse: { reports.add($0) }) {
                holder.hold($0)
            }
        }
        let callback = try #require(holder.callback)
        #expect(callback(1) == .late)
        #expect(reports.entries.isEmpty)
        #expect(callback(2) == .repeated)
        #expect(reports.entries.count == 1)
    }

    @Test func callbackThatNobodyKeepsEndsTheWait() async {
        let line: UInt = #line + 1
        await #expect { try await withCallback(of: Int.self) { _ in } } throws: {
            guard case CallbackError.neverCalled(let site) = $0 else { return false }
            return site.description == "\(#fileID):\(line)"
        }
    }

    @Test func releaseWithoutACallEndsTheWaitAndDoesNotStopTheWork() async {
        let fetcher = LegacyFetcher()
        let stops = Lock(0)
        let task = Task {
            try await withCancellableCallback(of: Int.self) { callback in
                _ = fetcher.fetch("a.png") { callback($0) }
                return { stops.withLock { $0 += 1 } }
            }
        }
        while !fetcher.isWaiting { await Task.yield() }
        fetcher.forgetAll()
        await #expect { try await task.value } throws: {
            guard case CallbackError.neverCalled = $0 else { return false }
            return true
        }
        #expect(stops.withLock { $0 } == 0)
    }

    @Test func waitReleasesTheCallbackOnEveryPath() async throws {
        weak var kept: Callback<Int>?
        _ = try await withCallback { callback in
            kept = callback
            callback(1)
        }
        #expect(kept == nil)
        _ = try? await withCancellableCallback(of: Int.self, timeout: .milliseconds(5)) { callback in
            kept = callback
            return { withExtendedLifetime(callback) {} }
        }
        #expect(kept == nil)
    }

    @Test func exactlyOneOfManyThreadsIsAccepted() async throws {
        let reports = Log<CallbackError>()
        let deliveries = Log<(Int, Callback<Int>.Delivery)>()
        let ended = Gate()
        let value = try await withCallback(of: Int.self, onMisuse: { reports.add($0) }) { callback in
            for number in 0..<16 {
                onOwnThread {
                    deliveries.add((number, callback(number)))
                    if deliveries.entries.count == 16 { ended.open() }
                }
            }
        }
        await ended.wait()
        let accepted = deliveries.entries.filter { $0.1 == .accepted }.map(\.0)
        #expect(accepted == [value])
        #expect(deliveries.entries.count { $0.1 == .repeated } == 15)
        #expect(reports.entries.count == 15)
    }

    @Test func twoOptionalsBecomeAValueOrAnError() async throws {
        #expect(try await withCallback(of: Int.self) { $0(5, nil) } == 5)
        await #expect { try await withCallback(of: Int.self) { $0(5, Failed()) } } throws: {
            guard case CallbackError.operation(is Failed) = $0 else { return false }
            return true
        }
        await #expect { try await withCallback(of: Int.self) { $0(nil, nil) } } throws: {
            guard case CallbackError.calledEmpty = $0 else { return false }
            return true
        }
    }

    @Test func handlersFitTheUsualShapes() async throws {
        func result(_ done: @escaping @Sendable (Result<Int, LegacyFetcher.NotFound>) -> Void) {
            done(.success(1))
        }
        func value(_ done: @escaping (Int) -> Void) { done(2) }
        func pair(_ done: @escaping (Int?, (any Error)?) -> Void) { done(3, nil) }
        func nothing(_ done: @escaping () -> Void) { done() }
        func error(_ done: @escaping ((any Error)?) -> Void) { done(Failed()) }

        #expect(try await withCallback { result($0.handler()) } == 1)
        #expect(try await withCallback { value($0.handler()) } == 2)
        #expect(try await withCallback { pair($0.handler()) } == 3)
        try await withCallback(of: Void.self) { nothing($0.handler()) }
        try await withCallback(of: Void.self) { $0() }
        await #expect { try await withCallback(of: Void.self) { error($0.handler()) } } throws: {
            guard case CallbackError.operation(is Failed) = $0 else { return false }
            return true
        }
    }

    @Test func misuseIsWrittenToStandardErrorUnlessTaken() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            _ = try await withCallback(of: Int.self) { callback in
                callback(1)
                callback(2)
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.contains("was called again") }
        #expect(lines.count == 1)
        #expect(text.contains("\(#fileID):"))
    }

    @Test func everyErrorIsOneSentenceThatNamesItsPlace() {
        let site = CallSite(fileID: "App/Main.swift", line: 3)
        let errors: [CallbackError] = [
            .neverCalled(site), .calledTwice(site), .calledEmpty(site), .timedOut(after: .seconds(1), site),
        ]
        for error in errors {
            #expect(error.description.contains("App/Main.swift:3"))
            #expect(error.description.hasSuffix("."))
            #expect(!error.description.contains("\n"))
        }
        #expect("\(CallbackError.operation(Failed()))" == "\(Failed())")
    }
}
