import AsyncBridging
import AsyncPrimitives
import Dispatch

/// What a program does after a wait has served its main thread.
@MainActor
enum Sequels {
    static func asyncMain() throws {
        try SyncBridge.waitServingMainRunLoop {}
        checkMainActorAndQueue()
        drainAsAsyncMainDoes()
    }

    static func dispatchMain() throws {
        try SyncBridge.waitServingMainRunLoop {}
        checkMainActorAndQueue()
        Dispatch.dispatchMain()
    }

    private static func checkMainActorAndQueue() {
        Task {
            let ran = Gate()
            try? await Task.sleep(for: .milliseconds(10))
            DispatchQueue.global().async {
                DispatchQueue.main.async { ran.open() }
            }
            await ran.wait()
            exitAfter {}
        }
    }

    static func refusalInAsyncMain() throws {
        try SyncBridge.waitServingMainRunLoop {}
        Task {
            try? await Task.sleep(for: .milliseconds(10))
            exitAfter(Refusals.checkInJob)
        }
        drainAsAsyncMainDoes()
    }
}

/// What the compiler makes of an asynchronous `main` calls this once the task of that is made; a wait comes too late
/// in there, and a program has one `main`.
@_silgen_name("swift_task_asyncMainDrainQueue")
private func drainAsAsyncMainDoes() -> Never
