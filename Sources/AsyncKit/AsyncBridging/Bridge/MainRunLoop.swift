import AsyncPrimitives
import Dispatch
import Foundation

/// The main thread's run loop, to sleep in.
enum MainRunLoop {
    /// Runs the body with a timer in the loop: one without a source or a timer returns at once instead of sleeping.
    static func keepingAlive<Result>(_ body: () -> Result) -> Result {
        let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
        RunLoop.current.add(timer, forMode: .default)
        defer { timer.invalidate() }
        return body()
    }

    /// Ends the loop's sleep; `RunLoop.perform` would not.
    static func wake() {
        DispatchQueue.main.async {}
    }

    /// Lets the loop turn once, at the latest when the time has come.
    static func turn(until deadline: Deadline?) {
        let seconds = deadline.map { Double($0.remaining.wholeNanoseconds) / 1e9 }
        let date = seconds.map(Date.init(timeIntervalSinceNow:)) ?? .distantFuture
        _ = RunLoop.current.run(mode: .default, before: date)
    }

    /// Whether the main queue runs its blocks when the run loop turns, found out by giving it one.
    ///
    /// Inside a block of the main queue it does not. A turn that is busy with something else does not count, so
    /// it takes ten of them, and 50 ms, to be sure.
    static func isMainQueueServed() -> Bool {
        let isServed = Lock(false)
        DispatchQueue.main.async { isServed.withLock { $0 = true } }
        let limit = Deadline(after: .milliseconds(50))
        var turns = 0
        while !isServed.withLock({ $0 }) {
            if turns >= 10, limit.hasPassed { return false }
            turn(until: Deadline(after: .milliseconds(10)))
            turns += 1
        }
        return true
    }
}
