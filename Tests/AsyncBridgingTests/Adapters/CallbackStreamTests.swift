import AsyncPrimitives
import Testing

@testable import AsyncBridging

@Suite(.timeLimit(.minutes(1)))
struct CallbackStreamTests {
    private struct Refused: Error {}

    private let detaches = Lock(0)
    private var detachCount: Int { detaches.withLock { $0 } }

    /// A stream whose sink the test keeps.
    private func makeStream(capacity: Int = 4) -> (CallbackStream<Int>, CallbackStream<Int>.Sink) {
        var kept: CallbackStream<Int>.Sink?
        let stream = CallbackStream<Int>(capacity: capacity) { sink in
            kept = sink
            return { detaches.withLock { $0 += 1 } }
        }
        guard let kept else { preconditionFailure("The stream did not attach.") }
        return (stream, kept)
    }

    @Test func eventsArriveInOrderThenTheEnd() async {
        let (stream, sink) = makeStream()
        for number in 1...3 { sink.send(number) }
        sink.finish()
        #expect(await stream.reduce(into: []) { $0.append($1) } == [1, 2, 3])
        #expect(detachCount == 1)
    }

    @Test func eventsDuringAttachingAreKept() async {
        let stream = CallbackStream<Int>(capacity: 4) { sink in
            sink.send(1)
            return {}
        }
        #expect(await stream.next() == 1)
    }

    @Test func slowReaderLosesTheOldestAndIsTold() async {
        let (stream, sink) = makeStream(capacity: 2)
        for number in 1...5 { sink.send(number) }
        #expect(await stream.next() == 4)
        #expect(await stream.next() == 5)
        #expect(stream.droppedCount == 3)
        stream.cancel()
        #expect(stream.droppedCount == 3)
    }

    @Test func finishDuringAttachingDetachesOnce() async {
        let stream = CallbackStream<Int>(capacity: 4) { sink in
            sink.send(1)
            sink.finish()
            #expect(detachCount == 0)
            return { detaches.withLock { $0 += 1 } }
        }
        #expect(detachCount == 1)
        #expect(await stream.reduce(0, +) == 1)
        #expect(detachCount == 1)
    }

    @Test func failureToAttachIsThrownAndDetachesNothing() {
        #expect(throws: Refused.self) {
            try CallbackStream<Int>(capacity: 1) { _ in throw Refused() }
        }
    }

    @Test func cancelDetachesBeforeItReturnsAndDropsTheRest() async {
        let (stream, sink) = makeStream()
        sink.send(1)
        stream.cancel()
        #expect(detachCount == 1)
        sink.send(2)
        stream.cancel()
        sink.finish()
        #expect(detachCount == 1)
        #expect(await stream.next() == nil)
    }

    @Test func cancelLetsAWaitingReaderGo() async {
        let (stream, sink) = makeStream()
        let reader = Task { await stream.next() }
        await Task.yield()
        stream.cancel()
        #expect(await reader.value == nil)
        withExtendedLifetime(sink) {}
    }

    @Test func cancelledTaskDetaches() async {
        let (stream, sink) = makeStream()
        let reader = Task { await stream.next() }
        await Task.yield()
        reader.cancel()
        #expect(await reader.value == nil)
        #expect(detachCount == 1)
        withExtendedLifetime(sink) {}
    }

    @Test func releaseDetachesWithoutAnyEvent() {
        var kept: CallbackStream<Int>.Sink?
        do {
            let (stream, sink) = makeStream()
            kept = sink
            withExtendedLifetime(stream) {}
        }
        #expect(detachCount == 1)
        kept?.send(1)
    }

    @Test func leavingTheLoopDetaches() async {
        let sensor = Sensor()
        for await _ in firing(sensor) { break }
        #expect(sensor.observerCount == 0)
        #expect(sensor.removalCount == 1)
    }

    @Test func streamEndsWhenEverySinkIsGone() async {
        let sinks = Lock<[CallbackStream<Int>.Sink]>([])
        let stream = CallbackStream<Int>(capacity: 4) { sink in
            sinks.withLock { $0.append(sink) }
            return { detaches.withLock { $0 += 1 } }
        }
        for sink in sinks.withLock({ $0 }) { sink.send(1) }
        let reader = Task { await stream.reduce(0, +) }
        let released = sinks.withLock { list in
            defer { list = [] }
            return list
        }
        withExtendedLifetime(released) {}
        _ = consume released
        #expect(await reader.value == 1)
        #expect(detachCount == 1)
    }

    @Test func asyncStreamDetachesWhenReleasedAndWhenCancelled() async {
        do {
            let (stream, _) = makeStream()
            _ = stream.stream
        }
        #expect(detachCount == 1)
        let (stream, sink) = makeStream()
        let reader = Task { await stream.stream.reduce(0, +) }
        sink.send(5)
        await Task.yield()
        reader.cancel()
        _ = await reader.value
        #expect(detachCount == 2)
    }

    @Test func finishMayBeCalledWhileTheObjectCallsItsObservers() async {
        let sensor = Sensor()
        let streams = (0..<3).map { _ in
            CallbackStream<Int>(capacity: 4) { sink in
                let token = sensor.add { value in
                    sink.send(value)
                    sink.finish()
                }
                return { sensor.remove(token) }
            }
        }
        sensor.measure(1)
        #expect(sensor.observerCount == 0)
        sensor.measure(2)
        for stream in streams { #expect(await stream.reduce(into: []) { $0.append($1) } == [1]) }
        #expect(sensor.removalCount == 3)
    }

    @Test func capacityOfNothingTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = CallbackStream<Int>(capacity: 0) { _ in {} }
        }
    }

    private func firing(_ sensor: Sensor) -> CallbackStream<Int> {
        let stream = CallbackStream<Int>(observing: sensor)
        sensor.measure(1)
        return stream
    }
}
