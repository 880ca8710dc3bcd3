import AsyncPrimitives
import Dispatch

/// The main thread's loop, to sleep in: Foundation's where the program has it, and else that of the main queue alone.
enum MainRunLoop {
    /// Looked for once, so a Foundation that is loaded after the first wait goes unnoticed.
    private static let foundation = FoundationRunLoop()

    /// Runs the body with the loop in a state to sleep.
    static func keepingAlive<Result>(_ body: () -> Result) -> Result {
        if let foundation { return foundation.keepingAlive(body) }
        return body()
    }

    /// Ends the loop's sleep.
    ///
    /// A block does so in both loops, and also when the wait has ended in the meantime: the descriptor that it
    /// rings is closed by `dispatchMain()`, and only Dispatch knows when.
    static func wake() {
        DispatchQueue.main.async {}
    }

    /// Lets the loop turn once, at the latest when the time has come.
    static func turn(until deadline: Deadline?) {
        if let foundation { return foundation.turn(until: deadline) }
        MainQueueLoop.turn(until: deadline)
    }

    /// Whether the main queue runs its blocks when the loop turns; inside one of them it does not.
    static func isMainQueueServed() -> Bool {
        if let foundation { return foundation.isMainQueueServed() }
        return MainQueueLoop.isServed()
    }
}
