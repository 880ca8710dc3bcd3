import CLinux

/// The jobs of one thread; it outlives the executor until the thread has run the last of them.
final class ThreadExecutorQueue: Sendable {
    typealias Job = @Sendable () -> Void

    private struct Contents {
        var jobs: [Job] = []
        var thread: Int32?
        var isStarted = false
        var isSleeping = false
        var isClosed = false

        /// Whether the thread must be woken, after unlocking.
        mutating func wake() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    private enum Turn {
        case run([Job])
        case sleep
        case stop
    }

    private let name: String
    private let contents = Lock(Contents())
    private let wakeUp = ThreadSemaphore()

    init(name: String) {
        self.name = name
    }

    var isCurrentThread: Bool {
        contents.withLock { $0.thread } == asynckit_gettid()
    }

    func append(_ job: @escaping Job) {
        let (mustStart, mustWake) = contents.withLock { contents in
            contents.jobs.append(job)
            defer { contents.isStarted = true }
            return (!contents.isStarted, contents.wake())
        }
        if mustWake { wakeUp.signal() }
        if mustStart {
            let isRunning = SystemThread.start(name: name) { self.run() }
            precondition(isRunning, "The system gives no thread for the executor \(name); raise the limit.")
        }
    }

    func close() {
        let mustWake = contents.withLock { contents in
            contents.isClosed = true
            return contents.wake()
        }
        if mustWake { wakeUp.signal() }
    }

    private func run() {
        contents.withLock { $0.thread = asynckit_gettid() }
        while true {
            switch contents.withLock({ Self.nextTurn(&$0) }) {
            case .run(let jobs): for job in jobs { job() }
            case .sleep: wakeUp.wait()
            case .stop: return
            }
        }
    }

    private static func nextTurn(_ contents: inout Contents) -> Turn {
        if !contents.jobs.isEmpty {
            defer { contents.jobs = [] }
            return .run(contents.jobs)
        }
        if contents.isClosed { return .stop }
        contents.isSleeping = true
        return .sleep
    }
}
