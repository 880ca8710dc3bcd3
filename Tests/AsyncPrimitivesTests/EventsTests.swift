import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventsTests {
    @Test func sendsFromOneThreadArriveInOrder() async {
        let count = 100_000
        let events = Events<Int>(capacity: count)
        let subscription = events.subscribe()
        let isRunning = SystemThread.start(name: "sender") {
            for number in 0..<count { events.send(number) }
            events.finish()
        }
        #expect(isRunning)
        var expected = 0
        for await number in subscription {
            if number != expected { break }
            expected += 1
        }
        #expect(expected == count)
        #expect(subscription.droppedCount == 0)
    }

    @Test func slowSubscriberLosesTheOldestAndCountsThem() async {
        let events = Events<Int>(capacity: 3)
        let slow = events.subscribe()
        for number in 1...10 { events.send(number) }
        #expect(slow.droppedCount == 7)
        #expect(events.droppedCount == 7)
        #expect(await slow.next() == 8)
        events.send(11)
        events.send(12)
        #expect(slow.droppedCount == 8)
        events.finish()
        #expect(await remaining(of: slow) == [10, 11, 12])
        #expect(events.droppedCount == 8)
    }

    @Test func lossesOfOneThatLeftStayCounted() {
        let events = Events<Int>(capacity: 1)
        var subscription: Events<Int>.Subscription? = events.subscribe()
        for number in 0..<5 { events.send(number) }
        withExtendedLifetime(subscription) {}
        subscription = nil
        #expect(events.subscriberCount == 0)
        #expect(events.droppedCount == 4)
    }

    @Test func everySubscriberSeesAllWhateverTheOthersDo() {
        let executor = ManualExecutor()
        let events = Events<Int>(capacity: 8)
        let stalled = events.subscribe()
        let readers = (0..<3).map { _ in
            let subscription = events.subscribe()
            return executor.start { await remaining(of: subscription) }
        }
        executor.drain()
        for number in 0..<20 {
            events.send(number)
            executor.drain()
            if number == 9 {
                readers[1].cancel()
                executor.drain()
            }
        }
        events.finish()
        executor.drain()
        #expect(readers[0].value == Array(0..<20))
        #expect(readers[1].value == Array(0..<10))
        #expect(readers[2].value == Array(0..<20))
        #expect(stalled.droppedCount == 12)
    }

    @Test func subscriberGetsOnlyWhatIsSentAfterItCame() async {
        let events = Events<Int>(capacity: 8)
        events.send(1)
        let early = events.subscribe()
        events.send(2)
        let late = events.subscribe()
        events.send(3)
        events.finish()
        events.send(4)
        #expect(await remaining(of: early) == [2, 3])
        #expect(await remaining(of: late) == [3])
        #expect(await remaining(of: events.subscribe()) == [])
    }

    @Test func releasedEventsEndTheWaitOfEverySubscriber() {
        let executor = ManualExecutor()
        var events: Events<Int>? = Events(capacity: 2)
        let subscription = events?.subscribe()
        let stream = events?.stream
        let readers = [
            executor.start { await subscription?.next() },
            executor.start { () -> Int? in
                guard let stream else { return 0 }
                return await firstElement(of: stream)
            },
        ]
        executor.drain()
        #expect(readers.allSatisfy { !$0.isFinished })
        events = nil
        executor.drain()
        #expect(readers.allSatisfy { $0.value == .some(nil) })
    }

    @Test func leavingTheLoopUnsubscribes() async {
        let events = Events<Int>(capacity: 2)
        for _ in 0..<20_000 {
            let subscription = events.subscribe()
            events.send(1)
            for await _ in subscription { break }
        }
        #expect(events.subscriberCount == 0)
    }

    @Test func cancelledTaskLeavesItsStreamWithoutASend() {
        let executor = ManualExecutor()
        let events = Events<Int>(capacity: 2)
        let stream = events.stream
        let reader = executor.start { await firstElement(of: stream) }
        executor.drain()
        #expect(events.subscriberCount == 1)
        reader.cancel()
        executor.drain()
        #expect(reader.value == .some(nil))
        withExtendedLifetime(stream) { #expect(events.subscriberCount == 0) }
    }

    @Test func nothingIsKeptWithoutSubscribers() {
        final class Event: Sendable {}
        let events = Events<Event>(capacity: 4)
        weak var unheard: Event?
        weak var heard: Event?
        do {
            let first = Event()
            unheard = first
            events.send(first)
        }
        #expect(unheard == nil)
        var subscription: Events<Event>.Subscription? = events.subscribe()
        do {
            let second = Event()
            heard = second
            events.send(second)
        }
        #expect(heard != nil)
        withExtendedLifetime(subscription) {}
        subscription = nil
        #expect(heard == nil)
    }

    @Test func optionalEventsAreDelivered() async {
        let events = Events<Int?>(capacity: 2)
        let subscription = events.subscribe()
        events.send(nil)
        events.send(1)
        #expect(await subscription.next() == .some(.none))
        #expect(await subscription.next() == .some(.some(1)))
    }
}

/// Everything that is still to come, until the end.
func remaining<Value>(of subscription: Events<Value>.Subscription) async -> [Value] {
    var values: [Value] = []
    while let value = await subscription.next() { values.append(value) }
    return values
}
