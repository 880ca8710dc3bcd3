import AsyncPrimitives
import Support
import Testing

private struct Failed: Error {}

@Suite(.timeLimit(.minutes(1)))
struct LockTests {
    @Test func contendedIncrementsAreAllCounted() async {
        let count = Lock(0)
        let (threads, increments) = (8, 20_000)
        let ends = (0..<threads).map { _ in
            let end = Gate()
            let isRunning = SystemThread.start(name: "lock") {
                for _ in 0..<increments { count.withLock { $0 += 1 } }
                end.open()
            }
            precondition(isRunning)
            return end
        }
        for end in ends { await end.wait() }
        #expect(count.withLock { $0 } == threads * increments)
    }

    @Test func throwingBodyReleasesTheLock() {
        let value = Lock(1)
        #expect(throws: Failed.self) {
            try value.withLock { value throws(Failed) in
                value = 2
                throw Failed()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }

    @Test func releasedLockReleasesItsValue() {
        final class Content: Sendable {}
        weak var content: Content?
        do {
            let lock = Lock(Content())
            content = lock.withLock { $0 }
            #expect(content != nil)
            withExtendedLifetime(lock) {}
        }
        #expect(content == nil)
    }

    @Test func heldValueMayBeNoncopyable() {
        struct Ticket: ~Copyable {
            var number = 1
        }
        let lock = Lock(Ticket())
        lock.withLock { $0.number += 1 }
        #expect(lock.withLock { $0.number } == 2)
    }
}
