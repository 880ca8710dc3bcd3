import CLinux
import Glibc

/// A POSIX semaphore: what a thread of ours sleeps on; sem_overview(7).
package final class ThreadSemaphore: @unchecked Sendable {
    // Sendable because sem_post and sem_wait are safe to call from any thread at once.
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        let status = sem_init(semaphore, 0, 0)
        precondition(status == 0, "sem_init failed with errno \(errno).")
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func signal() {
        sem_post(semaphore)
    }

    package func wait() {
        while sem_wait(semaphore) != 0 {
            precondition(errno == EINTR, "sem_wait failed with errno \(errno).")
        }
    }

    /// Waits until there is a signal to take; false when the time came first.
    package func wait(until deadline: Deadline) -> Bool {
        while asynckit_sem_wait_until(semaphore, deadline.nanoseconds) != 0 {
            if errno == ETIMEDOUT { return false }
            precondition(errno == EINTR, "sem_clockwait failed with errno \(errno).")
        }
        return true
    }
}
