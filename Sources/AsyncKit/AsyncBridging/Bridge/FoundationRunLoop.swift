import AsyncPrimitives
import CLinux
import Dispatch

/// The main run loop of a program that has Foundation, in its default mode; for the main thread.
///
/// Its functions are found in the running program, so that nobody has to link Foundation for a wait. The concurrency
/// runtime does the same for an asynchronous `main`.
struct FoundationRunLoop: @unchecked Sendable {
    /// That of `Date.distantFuture`, in seconds since 2001; as an interval it is no limit either.
    private static let never = 63_113_904_000.0

    // Sendable because it is addresses of code and of one constant.
    private let functions: asynckit_run_loop

    /// Finds the run loop; `nil` in a program without Foundation.
    init?() {
        var functions = asynckit_run_loop()
        guard asynckit_find_run_loop(&functions) != 0 else { return nil }
        self.functions = functions
    }

    private var mode: UnsafeRawPointer? { functions.default_mode.pointee }

    /// Runs the body with a timer in the loop: one without a source or a timer returns at once instead of sleeping.
    func keepingAlive<Result>(_ body: () -> Result) -> Result {
        let timer = functions.make_timer(nil, Self.never, 0, 0, 0, ignoreTimer, nil)
        functions.add_timer(functions.main(), timer, mode)
        defer {
            functions.invalidate(timer)
            functions.release(timer)
        }
        return body()
    }

    /// Lets the loop turn until something else than a timer has run, at the latest until the time has come.
    func turn(until deadline: Deadline?) {
        let seconds = deadline.map { Double($0.remaining.wholeNanoseconds) / 1e9 }
        _ = functions.run(mode, seconds ?? Self.never, 1)
    }

    /// Whether the main queue runs its blocks when the loop turns, found out by giving it one.
    ///
    /// A turn that is busy with something else does not count, so it takes ten of them, and 50 ms, to be sure that
    /// it does not.
    func isMainQueueServed() -> Bool {
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

private func ignoreTimer(_ timer: UnsafeMutableRawPointer?, _ info: UnsafeMutableRawPointer?) {}
