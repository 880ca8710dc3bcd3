import AsyncPrimitives
import Dispatch
import Glibc
import MainThreadScenarios

/// The way that the bridge replaces.
enum Semaphores {
    /// Shows that a semaphore around a task hangs a pool whose threads all wait like that.
    static func hangThePool() throws {
        let finished = Lock(0)
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 4
        for _ in 0..<count {
            Task.detached {
                waitWithSemaphore { try? await Task.sleep(for: .milliseconds(5)) }
                finished.withLock { $0 += 1 }
            }
        }
        usleep(1_000_000)
        let done = finished.withLock { $0 }
        try require(done < count, "all \(done) waits ended; the comparison with the bridge no longer holds")
    }

    private static func waitWithSemaphore(_ operation: @escaping @Sendable () async -> Void) {
        let semaphore = DispatchSemaphore(value: 0)
        Task.detached {
            await operation()
            semaphore.signal()
        }
        semaphore.wait()
    }
}
