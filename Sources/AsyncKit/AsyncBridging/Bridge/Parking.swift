import AsyncPrimitives

/// How the waiting thread sleeps: on a semaphore, or in the main run loop.
protocol Parking {
    /// Wakes the thread; it is called once for each time the executor counted it as parked, from any thread.
    var wake: @Sendable () -> Void { get }

    /// Sleeps until the thread is woken or the time has come; afterwards it does not count as parked.
    func park(until deadline: Deadline?, for executor: CallerDrivenExecutor)
}

struct SemaphoreParking: Parking {
    // One for the thread will do, also for waits within waits: only the innermost one sleeps, and each takes every
    // signal that was promised to it before it goes on.
    private let semaphore = ThreadSemaphore.ofCurrentThread

    var wake: @Sendable () -> Void {
        { [semaphore] in semaphore.signal() }
    }

    func park(until deadline: Deadline?, for executor: CallerDrivenExecutor) {
        guard let deadline else { return semaphore.wait() }
        if semaphore.wait(until: deadline) || executor.unpark() { return }
        // Somebody was about to signal when the time ran out; a later sleep must not find that signal.
        semaphore.wait()
    }
}
