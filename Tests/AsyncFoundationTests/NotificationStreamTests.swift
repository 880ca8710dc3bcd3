import AsyncBridging
import AsyncFoundation
import AsyncPrimitives
import Foundation
import Glibc
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NotificationStreamTests {
    private final class Sender: Sendable {}

    private let center = NotificationCenter()
    private let name = Notification.Name("AsyncFoundationTests.changed")

    private func numbers(of sender: Sender? = nil, capacity: Int = 16) -> CallbackStream<Int> {
        center.notifications(named: name, object: sender, capacity: capacity) { $0.userInfo?["n"] as? Int }
    }

    private func post(_ number: Int, from sender: Sender? = nil) {
        center.post(name: name, object: sender, userInfo: ["n": number])
    }

    @Test func payloadIsMappedOnThePostingThread() async throws {
        let mapper = Lock<pthread_t?>(nil)
        let stream = center.notifications(named: name, capacity: 1) { notification -> Int? in
            mapper.withLock { $0 = pthread_self() }
            return notification.userInfo?["n"] as? Int
        }
        let poster = try await onThread {
            post(5)
            return pthread_self()
        }
        #expect(await stream.next() == 5)
        #expect(mapper.withLock { $0 } == poster)
    }

    @Test func notificationsThatMapToNothingAreLeftOut() async {
        let stream = numbers()
        center.post(name: name, object: nil)
        center.post(name: Notification.Name("AsyncFoundationTests.other"), object: nil, userInfo: ["n": 1])
        post(2)
        #expect(await stream.next() == 2)
    }

    @Test func senderIsFiltered() async {
        let (mine, other) = (Sender(), Sender())
        let stream = numbers(of: mine)
        post(1, from: other)
        post(2)
        post(3, from: mine)
        #expect(await stream.next() == 3)
    }

    @Test func senderIsHeldWeaklyAndItsAddressIsNotMistaken() async {
        weak var released: Sender?
        let stream: CallbackStream<Int>
        do {
            let sender = Sender()
            released = sender
            stream = numbers(of: sender, capacity: 100)
            post(1, from: sender)
        }
        #expect(released == nil)
        for number in 2..<50 { post(number, from: Sender()) }
        post(50)
        #expect(await stream.next() == 1)
        stream.cancel()
        #expect(stream.droppedCount == 0)
        #expect(await stream.next() == nil)
    }

    @Test func laterSenderAtTheSameAddressIsNotDelivered() async {
        var sender: Sender? = Sender()
        let stream = numbers(of: sender)
        sender = nil
        for number in 2..<50 { post(number, from: Sender()) }
        let reader = Task { await stream.next() }
        await Task.yield()
        stream.cancel()
        #expect(await reader.value == nil)
    }

    @Test func slowReaderKeepsTheLatest() async {
        let stream = numbers(capacity: 2)
        for number in 1...10 { post(number) }
        #expect(await stream.next() == 9)
        #expect(stream.droppedCount == 8)
    }

    @Test func observerIsRemovedByReleaseCancelAndCancelledTask() async {
        let calls = Lock(0)
        func observe() -> CallbackStream<Int> {
            center.notifications(named: name, capacity: 1) { _ in
                calls.withLock { $0 += 1 }
                return 0
            }
        }
        do { withExtendedLifetime(observe()) {} }
        let cancelled = observe()
        cancelled.cancel()
        let reader = Task { [stream = observe()] in await stream.next() }
        reader.cancel()
        _ = await reader.value
        post(1)
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func manyPostersLoseNothingWithinTheCapacity() async {
        let stream = numbers(capacity: 4_000)
        await withTaskGroup(of: Void.self) { group in
            for poster in 0..<4 {
                group.addTask { for number in 0..<1_000 { post(poster * 1_000 + number) } }
            }
        }
        var received: Set<Int> = []
        while received.count < 4_000, let number = await stream.next() { received.insert(number) }
        #expect(received.count == 4_000)
        #expect(stream.droppedCount == 0)
    }
}
