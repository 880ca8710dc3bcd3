import AsyncPrimitives

/// How the waiting thread sleeps while it has nothing to run.
enum Sleeper: Sendable {
    case onSemaphore(ThreadSemaphore)
    case inMainRunLoop

    /// Wakes the thread; called once for each time the executor counted it as parked, from any thread.
    func wake() {
        switch self {
        case .onSemaphore(let semaphore): semaphore.signal()
        case .inMainRunLoop: MainRunLoop.wake()
        }
    }

    /// Sleeps until the thread is woken or the time has come.
    ///
    /// - Parameters:
    ///   - deadline: The time; `nil` for none.
    ///   - unpark: Takes the thread off the executor's books; false when a wake-up is on its way.
    func sleep(until deadline: Deadline?, unpark: () -> Bool) {
        switch self {
        case .onSemaphore(let semaphore):
            guard let deadline else { return semaphore.wait() }
            if semaphore.wait(until: deadline) || unpark() { return }
            // Somebody was about to signal when the time ran out; a later sleep must not find that signal.
            semaphore.wait()
        case .inMainRunLoop:
            MainRunLoop.turn(until: deadline)
            _ = unpark()
        }
    }
}
