import AsyncBridging
import Foundation

/// A thread that is not async waits for async code.
enum BridgeSuite {
    static let comparisons = [
        Comparison(
            suite: "bridge",
            title: "wait for one actor call",
            subject: bridge(calls: 1),
            peer: .present(semaphore(calls: 1)),
            goal: Goal(ratio: 8, limit: .microseconds(2))
        ),
        Comparison(
            suite: "bridge",
            title: "wait for ten actor calls",
            subject: bridge(calls: 10),
            peer: .present(semaphore(calls: 10))
        ),
        Comparison(
            suite: "bridge",
            title: "wait for nothing",
            subject: bridge(calls: 0),
            peer: .present(semaphore(calls: 0))
        ),
    ]

    private static func bridge(calls: Int) -> Contender {
        Contender(name: "SyncBridge.wait", version: Versions.library) { operations in
            let counter = Counter()
            return try await onThread {
                try ContinuousClock().measure {
                    for _ in 0..<operations {
                        keep(try SyncBridge.wait { await counter.increment(calls) })
                    }
                }
            }
        }
    }

    private static func semaphore(calls: Int) -> Contender {
        Contender(name: "DispatchSemaphore + Task.detached", version: Versions.dispatch) { operations in
            let counter = Counter()
            return try await onThread {
                ContinuousClock().measure {
                    for _ in 0..<operations {
                        keep(waitWithSemaphore { await counter.increment(calls) })
                    }
                }
            }
        }
    }

    /// What is usually written by hand.
    ///
    /// It hangs when the threads of the pool wait this way too.
    private static func waitWithSemaphore(_ operation: @escaping @Sendable () async -> Int) -> Int {
        let semaphore = DispatchSemaphore(value: 0)
        let box = Box()
        Task.detached {
            box.value = await operation()
            semaphore.signal()
        }
        semaphore.wait()
        return box.value
    }
}

private actor Counter {
    private var value = 0

    func increment() -> Int {
        value += 1
        return value
    }

    /// Not isolated, so that each of the calls goes to the actor and comes back.
    nonisolated func increment(_ times: Int) async -> Int {
        var last = 0
        for _ in 0..<times { last = await increment() }
        return last
    }
}

/// The semaphore orders the write before the read.
private final class Box: @unchecked Sendable {
    var value = 0
}
