import AsyncPrimitives
import Glibc

/// What a thread keeps from one wait to the next: the semaphore it sleeps on, and an executor to use again.
///
/// One semaphore will do, also for waits within waits: only the innermost one sleeps, and each takes every signal that
/// was promised to it before it goes on.
final class WaitingThread {
    private let semaphore = ThreadSemaphore()
    private var spare: CallerDrivenExecutor?

    /// That of the calling thread, made at its first wait and released with the thread.
    static var current: WaitingThread {
        if let known = pthread_getspecific(key) {
            return Unmanaged<WaitingThread>.fromOpaque(known).takeUnretainedValue()
        }
        let thread = WaitingThread()
        pthread_setspecific(key, Unmanaged.passRetained(thread).toOpaque())
        return thread
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, releaseWaitingThread)
        precondition(status == 0, "pthread_key_create failed with errno \(status).")
        return key
    }()

    func takeExecutor() -> CallerDrivenExecutor {
        guard let executor = spare else { return CallerDrivenExecutor(waking: .onSemaphore(semaphore)) }
        spare = nil
        executor.reopen()
        return executor
    }

    /// Keeps the executor for the next wait, unless a task that was given up may still come to it.
    func giveBack(_ executor: consuming CallerDrivenExecutor) {
        var executor = executor
        if isKnownUniquelyReferenced(&executor) { spare = executor }
    }
}

private func releaseWaitingThread(_ thread: UnsafeMutableRawPointer?) {
    guard let thread else { return }
    Unmanaged<WaitingThread>.fromOpaque(thread).release()
}
