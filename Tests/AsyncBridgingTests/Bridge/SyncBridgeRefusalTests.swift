import AsyncBridging
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SyncBridgeRefusalTests {
    private actor Service {
        func waitsForItself() -> SyncBridge.Refusal? {
            refusal { _ = try SyncBridge.wait { await self.answer() } }
        }

        func waitsThroughAHelper() -> SyncBridge.Refusal? {
            refusal { _ = try SyncBridgeTests.synchronously { await self.answer() } }
        }

        func startsAnother() -> Bool {
            let isStarted = Lock(false)
            _ = refusal { try SyncBridge.wait { isStarted.withLock { $0 = true } } }
            return isStarted.withLock { $0 }
        }

        func answer() -> Int { 42 }
    }

    private actor ThreadService {
        private let executor = ThreadExecutor(name: "refusal")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func waitsThroughAHelper() -> SyncBridge.Refusal? { refusal { try SyncBridgeTests.synchronously {} } }
    }

    @MainActor private static func waitsOnTheMainActor() -> SyncBridge.Refusal? {
        refusal { try SyncBridge.wait {} }
    }

    @MainActor private static func waitsOnTheMainActorThroughAHelper() -> SyncBridge.Refusal? {
        refusal { try SyncBridgeTests.synchronously {} }
    }

    @MainActor private static func servesOnTheMainActor() -> SyncBridge.Refusal? {
        refusal { try SyncBridge.waitServingMainRunLoop {} }
    }

    @Test func actorIsRefusedByName() async throws {
        let refusal = try #require(await Service().waitsForItself())
        #expect(refusal.reason == .onActor("Service"))
        #expect(refusal.callSite.fileID.hasSuffix("SyncBridgeRefusalTests.swift"))
        #expect(refusal.description.contains("await the operation"))
    }

    @Test func actorIsRefusedBehindAHelperWithoutIsolation() async throws {
        let refusal = try #require(await Service().waitsThroughAHelper())
        #expect(refusal.reason == .onActor("the actor that called this function"))
    }

    @Test func actorOnItsOwnThreadIsRefused() async throws {
        #expect(await ThreadService().waitsThroughAHelper() != nil)
    }

    @Test func actorDrivenByABridgeIsRefused() async throws {
        let service = Service()
        let found = try await onThread { try SyncBridge.wait { await service.waitsThroughAHelper() } }
        #expect(found != nil)
    }

    @Test func mainActorIsRefused() async throws {
        #expect(await Self.waitsOnTheMainActor()?.reason == .onMainQueue)
        #expect(await Self.waitsOnTheMainActorThroughAHelper()?.reason == .onMainQueue)
    }

    @Test func servingFormIsRefusedAwayFromTheMainThread() async throws {
        let found = try await onThread { refusal { try SyncBridge.waitServingMainRunLoop {} } }
        #expect(found?.reason == .notOnMainThread)
        #expect(await Self.servesOnTheMainActor() != nil)
    }

    @Test func refusedOperationIsNotStarted() async throws {
        #expect(await Service().startsAnother() == false)
    }
}

/// Why the wait was refused; `nil` when it was not.
private func refusal(_ wait: () throws -> Void) -> SyncBridge.Refusal? {
    do {
        try wait()
    } catch SyncBridge.Error<Never>.refused(let refusal) {
        return refusal
    } catch SyncBridge.Error<any Error>.refused(let refusal) {
        return refusal
    } catch {
        Issue.record(error)
    }
    return nil
}
