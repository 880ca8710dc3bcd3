import AsyncBridging
import AsyncPrimitives
import Foundation
import MainThreadScenarios

@MainActor
enum Timers {
    private static func answer() -> Int { 7 }

    static func goOn() throws {
        let fired = Lock(0)
        let timer = Timer(timeInterval: 0.005, repeats: true) { _ in fired.withLock { $0 += 1 } }
        RunLoop.main.add(timer, forMode: .default)
        try SyncBridge.waitServingMainRunLoop { try await Task.sleep(for: .milliseconds(200)) }
        let count = fired.withLock { $0 }
        try require(count >= 10, "the timer fired \(count) times")
    }

    static func runAWaitWithinAWait() throws {
        let inner = Lock<Result<Int, any Error>?>(nil)
        let isDone = Gate()
        let timer = Timer(timeInterval: 0.001, repeats: false) { _ in
            let result = Result {
                try SyncBridge.waitServingMainRunLoop(isolation: nil) { await answer() }
            }
            inner.withLock { $0 = result.mapError { $0 as any Error } }
            isDone.open()
        }
        RunLoop.main.add(timer, forMode: .default)
        try SyncBridge.waitServingMainRunLoop(timeout: .seconds(5)) { await isDone.wait() }
        let value = try inner.withLock { $0 }?.get()
        try require(value == 7, "the inner wait gave \(String(describing: value))")
    }
}
