import AsyncBridging
import AsyncPrimitives
import Dispatch
import Glibc

@MainActor
enum Serving {
    private static var mainActorCalls = 0

    private static func callMainActor() {
        mainActorCalls += 1
    }

    static func mainActorWorkGoesOn() throws {
        try SyncBridge.waitServingMainRunLoop {
            for _ in 0..<100 { await callMainActor() }
        }
        try require(mainActorCalls == 100, "\(mainActorCalls) calls")
    }

    static func mainQueueBlocksGoOn() throws {
        let ran = Gate()
        DispatchQueue.global().async {
            DispatchQueue.main.async { ran.open() }
        }
        try SyncBridge.waitServingMainRunLoop(timeout: .seconds(5)) { await ran.wait() }
    }

    static func busyMainQueueStarvesNobody() throws {
        repeatOnMainQueue()
        let start = ContinuousClock.now
        try SyncBridge.waitServingMainRunLoop(timeout: .seconds(5)) {
            try await Task.sleep(for: .milliseconds(50))
            await callMainActor()
        }
        let elapsed = ContinuousClock.now - start
        try require(elapsed < .milliseconds(500), "returned after \(elapsed)")
    }

    nonisolated private static func repeatOnMainQueue() {
        DispatchQueue.main.async { repeatOnMainQueue() }
    }

    static func earlyCompletionIsKept() throws {
        for number in 0..<1000 {
            let value = try SyncBridge.waitServingMainRunLoop { number }
            try require(value == number, "got \(value)")
        }
    }

    static func wakesAtOnce() throws {
        let completed = Lock(ContinuousClock.now)
        for _ in 0..<20 {
            let gate = Gate()
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
                completed.withLock { $0 = .now }
                gate.open()
            }
            try SyncBridge.waitServingMainRunLoop { await gate.wait() }
            let delay = ContinuousClock.now - completed.withLock { $0 }
            try require(delay < .milliseconds(50), "woke after \(delay)")
        }
    }

    static func usesNoProcessorTime() throws {
        try SyncBridge.waitServingMainRunLoop {}
        let before = processorTime()
        try SyncBridge.waitServingMainRunLoop { try await Task.sleep(for: .milliseconds(500)) }
        let used = processorTime() - before
        try require(used < 0.02, "used \(used) s of processor time in 0.5 s")
    }

    private static func processorTime() -> Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }

    /// The report is called between two turns of the loop, where another wait may turn it.
    static func nestsInAStallReport() throws {
        let inner = Lock<Result<Int, any Error>?>(nil)
        let isDone = Gate()
        SyncBridge.stallInterval = .milliseconds(20)
        SyncBridge.onStall = { _ in
            let result = Result {
                try SyncBridge.waitServingMainRunLoop {
                    await callMainActor()
                    return 7
                }
            }
            inner.withLock { $0 = result.mapError { $0 as any Error } }
            isDone.open()
        }
        try SyncBridge.waitServingMainRunLoop(timeout: .seconds(5)) { await isDone.wait() }
        let value = try inner.withLock { $0 }?.get()
        try require(value == 7, "the inner wait gave \(String(describing: value))")
    }

    static func returnsAtTheDeadline() throws {
        let gate = Gate()
        let start = ContinuousClock.now
        let failure = failure(of: {
            try SyncBridge.waitServingMainRunLoop(timeout: .milliseconds(50)) { await gate.wait() }
        })
        let elapsed = ContinuousClock.now - start
        guard case SyncBridge.Error<Never>.timedOut? = failure else { throw Unexpected(of: failure) }
        try require(elapsed < .milliseconds(80), "returned after \(elapsed)")
    }

    static func isCancelledByItsHandle() throws {
        let handle = SyncBridge.Handle()
        let gate = Gate()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { handle.cancel() }
        let failure = failure(of: {
            try SyncBridge.waitServingMainRunLoop(timeout: .seconds(5), handle: handle) { await gate.wait() }
        })
        guard case SyncBridge.Error<Never>.cancelled? = failure else { throw Unexpected(of: failure) }
    }

    static func carriesTheOperationsError() throws {
        let failure = failure(of: {
            try SyncBridge.waitServingMainRunLoop { () throws(Unexpected) in
                throw Unexpected(description: "the operation's own")
            }
        })
        guard case SyncBridge.Error<Unexpected>.operation(let error)? = failure else {
            throw Unexpected(of: failure)
        }
        try require(error.description == "the operation's own", "\(error)")
    }

    private static func failure(of wait: () throws -> Void) -> (any Error)? {
        do {
            try wait()
            return nil
        } catch {
            return error
        }
    }
}
