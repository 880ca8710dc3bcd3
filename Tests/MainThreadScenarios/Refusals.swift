import AsyncBridging
import AsyncPrimitives
import Dispatch

@MainActor
enum Refusals {
    static func plainWait() throws {
        try expect(.onMainThread, reason { try SyncBridge.wait {} })
        // Nothing in the types tells a helper without isolation that it runs on the main thread.
        try expect(.onMainThread, reason { try SyncBridge.wait(isolation: nil) {} })
    }

    static func insideMainQueueBlock() throws {
        let found = Lock<SyncBridge.Refusal.Reason?>(nil)
        let isDone = Gate()
        DispatchQueue.main.async {
            let reason = reason { try SyncBridge.waitServingMainRunLoop(isolation: nil) {} }
            found.withLock { $0 = reason }
            isDone.open()
        }
        try SyncBridge.waitServingMainRunLoop(timeout: .seconds(5)) { await isDone.wait() }
        try expect(.insideMainQueue, found.withLock { $0 })
    }

    static func mainQueueGoesOn() throws {
        try insideMainQueueBlock()
        try Serving.mainQueueBlocksGoOn()
        try Serving.mainActorWorkGoesOn()
    }

    /// For a job of the main actor; throws unless both forms are refused.
    static func checkInJob() throws {
        try expect(.insideMainQueue, waitFromSynchronousCode())
        try expect(.onMainQueue, reason { try SyncBridge.wait {} })
    }

    static func insideMainActorJob() throws {
        let found = try SyncBridge.waitServingMainRunLoop(timeout: .seconds(5)) { await waitInJob() }
        try expect(.insideMainQueue, found)
    }

    private static func waitInJob() async -> SyncBridge.Refusal.Reason? {
        waitFromSynchronousCode()
    }

    private static func waitFromSynchronousCode() -> SyncBridge.Refusal.Reason? {
        reason { try SyncBridge.waitServingMainRunLoop {} }
    }

    private static func expect(
        _ expected: SyncBridge.Refusal.Reason,
        _ found: SyncBridge.Refusal.Reason?
    ) throws {
        try require(found == expected, "refused because of \(String(describing: found)), not \(expected)")
    }
}

/// Why a wait was refused; `nil` when it was not.
private func reason(_ wait: () throws -> Void) -> SyncBridge.Refusal.Reason? {
    do {
        try wait()
        return nil
    } catch SyncBridge.Error<Never>.refused(let refusal) {
        return refusal.reason
    } catch {
        return nil
    }
}
