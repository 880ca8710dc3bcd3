import Foundation

/// Runs something on a thread of its own, as code that is not async would, and waits for it without blocking.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// Runs something on several threads that start together, and returns the time until the last one is done.
func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) async throws -> Duration {
    try await onThread {
        let ready = DispatchSemaphore(value: 0)
        let start = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<count {
            Thread {
                ready.signal()
                start.wait()
                body()
                done.signal()
            }.start()
        }
        for _ in 0..<count { ready.wait() }
        return ContinuousClock().measure {
            for _ in 0..<count { start.signal() }
            for _ in 0..<count { done.wait() }
        }
    }
}

/// Keeps the optimiser from dropping a result that nobody reads.
@inline(never)
func keep<Value>(_ value: Value) {}
