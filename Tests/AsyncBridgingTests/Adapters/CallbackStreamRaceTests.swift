import AsyncPrimitives
import Testing

@testable import AsyncBridging

@Suite(.timeLimit(.minutes(5)))
struct CallbackStreamRaceTests {
    private let rounds = 100_000

    @Test func cancelFinishAndReleaseDetachOnce() async {
        for round in 0..<rounds {
            let detaches = Lock(0)
            let (stream, sink) = Self.makeStream(detaches)
            async let cancelled: Void = Self.cancel(stream, after: round % 40)
            async let finished: Void = Self.finish(sink, after: round % 30)
            _ = await (cancelled, finished)
            #expect(detaches.withLock { $0 } == 1)
        }
    }

    @Test func cancelledReaderAndFinishDetachOnceAndLeave() async {
        for round in 0..<rounds {
            let detaches = Lock(0)
            let (stream, sink) = Self.makeStream(detaches)
            let reader = Task { await stream.next() }
            async let finished: Void = Self.finish(sink, after: round % 30)
            spin(round % 40)
            reader.cancel()
            _ = await (reader.value, finished)
            #expect(detaches.withLock { $0 } == 1)
        }
    }

    @Test func nothingIsDeliveredAfterCancel() async {
        for round in 0..<rounds {
            let (stream, sink) = Self.makeStream(Lock(0))
            let sender = Task.detached { for number in 0..<20 { sink.send(number) } }
            spin(round % 40)
            stream.cancel()
            #expect(await stream.next() == nil)
            await sender.value
        }
    }

    @Test func eventsOfOneThreadArriveInOrder() async {
        let (stream, sink) = Self.makeStream(Lock(0), capacity: 100_000)
        onOwnThread {
            for number in 0..<100_000 { sink.send(number) }
            sink.finish()
        }
        var expected = 0
        for await number in stream {
            if number != expected { Issue.record("\(number) came in place of \(expected)") }
            expected = number + 1
        }
        #expect(expected == 100_000)
    }

    private static func makeStream(
        _ detaches: Lock<Int>,
        capacity: Int = 4
    ) -> (CallbackStream<Int>, CallbackStream<Int>.Sink) {
        var kept: CallbackStream<Int>.Sink?
        let stream = CallbackStream<Int>(capacity: capacity) { sink in
            kept = sink
            return { detaches.withLock { $0 += 1 } }
        }
        guard let kept else { preconditionFailure("The stream did not attach.") }
        return (stream, kept)
    }

    private static func cancel(_ stream: CallbackStream<Int>, after turns: Int) async {
        spin(turns)
        stream.cancel()
    }

    private static func finish(_ sink: CallbackStream<Int>.Sink, after turns: Int) async {
        spin(turns)
        sink.finish()
    }
}
