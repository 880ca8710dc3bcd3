public import Glibc

/// A value that only one thread at a time can reach.
///
/// ```swift
/// let hits = Lock(0)
/// hits.withLock { $0 += 1 }
/// ```
///
/// The lock is a `pthread_mutex_t` on the heap: the thread sanitizer follows it, and it stays fair under
/// contention, neither of which holds for `Synchronization.Mutex` on Linux in Swift 6.3.
///
/// It is not recursive: taking it again inside ``withLock(_:)`` deadlocks. Keep the body to a few loads and
/// stores, and never resume a continuation, cancel a task, yield to a stream or call foreign code in it.
///
/// Cost: about 6 ns when nobody else holds it; two allocations.
/// Source: pthread_mutex_lock(3p).
public final class Lock<Value: ~Copyable>: @unchecked Sendable {
    // Sendable because `value` is reached only between lock and unlock of `mutex`. Both lie in one block of memory
    // of the lock's own: a stored property would be checked for exclusive access at each use.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Makes an unlocked lock around a value.
    ///
    /// - Parameter value: The value to protect; the lock owns it from here on.
    @inlinable
    public init(_ value: consuming sending Value) {
        let alignment = max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<Value>.alignment)
        let offset = (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<Value>.size,
            alignment: alignment
        )
        mutex = block.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        self.value = (block + offset).bindMemory(to: Value.self, capacity: 1)
        self.value.initialize(to: value)
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed.")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        value.deinitialize(count: 1)
        UnsafeMutableRawPointer(mutex).deallocate()
    }

    /// Runs the body while no other thread can reach the value.
    ///
    /// Blocks the calling thread until the lock is free; it does not look at task cancellation.
    ///
    /// - Parameter body: What to do with the value; short, and without calls to foreign code.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; the lock is released first.
    @inlinable
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
