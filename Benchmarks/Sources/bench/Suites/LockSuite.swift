import AsyncPrimitives
import Foundation
import Synchronization

/// A counter behind a lock: alone, and with eight threads that want it at once.
enum LockSuite {
    static let comparisons = [
        Comparison(
            suite: "lock",
            title: "alone, against NSLock",
            subject: lock(threads: 1),
            peer: .present(nsLock(threads: 1))
        ),
        Comparison(
            suite: "lock",
            title: "alone, against Mutex",
            subject: lock(threads: 1),
            peer: .present(mutex(threads: 1))
        ),
        Comparison(
            suite: "lock",
            title: "8 threads, against NSLock",
            subject: lock(threads: 8),
            peer: .present(nsLock(threads: 8))
        ),
        Comparison(
            suite: "lock",
            title: "8 threads, against Mutex",
            subject: lock(threads: 8),
            peer: .present(mutex(threads: 8))
        ),
    ]

    private static func lock(threads: Int) -> Contender {
        Contender(name: "Lock", version: Versions.library) { operations in
            let counter = Lock(0)
            return try await onThreads(threads) {
                for _ in 0..<operations / threads { counter.withLock { $0 &+= 1 } }
            }
        }
    }

    private static func nsLock(threads: Int) -> Contender {
        Contender(name: "NSLock", version: Versions.foundation) { operations in
            let counter = NSLockCounter()
            return try await onThreads(threads) {
                for _ in 0..<operations / threads { counter.increment() }
            }
        }
    }

    private static func mutex(threads: Int) -> Contender {
        Contender(name: "Mutex", version: "Synchronization of \(Versions.swift)") { operations in
            let counter = MutexCounter()
            return try await onThreads(threads) {
                for _ in 0..<operations / threads { counter.increment() }
            }
        }
    }
}

/// `value` is touched under `lock` alone.
private final class NSLockCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0

    func increment() {
        lock.withLock { value &+= 1 }
    }
}

private final class MutexCounter: Sendable {
    private let value = Mutex(0)

    func increment() {
        value.withLock { $0 &+= 1 }
    }
}
