/// The work of a pool and its threads; it outlives the pool until the last thread has ended.
final class ThreadPoolQueue: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Contents {
        var waiting = WaiterList<Work>()
        var threads = 0
        /// Those of the threads that are there; the others are being started.
        var running = 0
        /// Threads that sleep and have not been promised a signal.
        var sleeping = 0
        var isClosed = false

        mutating func end() {
            threads -= 1
            running -= 1
        }
    }

    private enum Action {
        case none
        case wake
        case startThread
    }

    private static let idleTime = Duration.seconds(10)

    private let name: String
    private let maximumThreads: Int
    private let maximumQueued: Int
    private let contents = Lock(Contents())
    private let wakeUp = ThreadSemaphore()

    init(name: String, maximumThreads: Int, maximumQueued: Int) {
        self.name = name
        self.maximumThreads = maximumThreads
        self.maximumQueued = maximumQueued
    }

    var threadCount: Int { contents.withLock { $0.threads } }
    var queuedCount: Int { contents.withLock { $0.waiting.count } }

    func append(_ id: WaiterID, _ work: @escaping Work) throws(ThreadPool.Error) {
        let action = try contents.withLock { (contents) throws(ThreadPool.Error) in
            if contents.sleeping == 0, contents.threads >= maximumThreads,
                contents.waiting.count >= maximumQueued
            {
                throw .overloaded(limit: maximumQueued)
            }
            contents.waiting.append(work, id: id)
            return thread(for: &contents)
        }
        switch action {
        case .none: break
        case .wake: wakeUp.signal()
        case .startThread: try startThread(for: id)
        }
    }

    private func thread(for contents: inout Contents) -> Action {
        if contents.sleeping > 0 {
            contents.sleeping -= 1
            return .wake
        }
        if contents.threads < maximumThreads {
            contents.threads += 1
            return .startThread
        }
        return .none
    }

    /// Starts a thread for the work; without one it waits for those that run, and where none does it is refused.
    private func startThread(for id: WaiterID) throws(ThreadPool.Error) {
        if SystemThread.start(name: name, { self.run() }) { return }
        let isRefused = contents.withLock { contents in
            contents.threads -= 1
            return contents.running == 0 && contents.waiting.remove(id) != nil
        }
        if isRefused { throw .noThread }
    }

    func remove(_ id: WaiterID) {
        _ = contents.withLock { $0.waiting.remove(id) }
    }

    func close() {
        let sleepers = contents.withLock { contents in
            contents.isClosed = true
            defer { contents.sleeping = 0 }
            return contents.sleeping
        }
        for _ in 0..<sleepers { wakeUp.signal() }
    }

    private func run() {
        contents.withLock { $0.running += 1 }
        while true {
            if let work = contents.withLock({ $0.waiting.removeFirst()?.waiter }) {
                work()
            } else if !sleepUnlessDone() {
                return
            }
        }
    }

    /// Waits for a signal; false when the thread shall end.
    private func sleepUnlessDone() -> Bool {
        let maySleep: Bool? = contents.withLock { contents in
            if !contents.waiting.isEmpty { return nil }
            if contents.isClosed {
                contents.end()
                return false
            }
            contents.sleeping += 1
            return true
        }
        guard let maySleep else { return true }
        return maySleep && (wakeUp.wait(until: Deadline(after: Self.idleTime)) || !endWhenIdle())
    }

    /// Ends the thread, unless somebody has promised it a signal meanwhile.
    private func endWhenIdle() -> Bool {
        let isIdle = contents.withLock { contents in
            if contents.sleeping == 0 { return false }
            contents.sleeping -= 1
            contents.end()
            return true
        }
        if !isIdle { wakeUp.wait() }
        return isIdle
    }
}
