import AsyncPrimitives
import Testing

@testable import AsyncBridging

@Suite(.timeLimit(.minutes(1)))
struct DelegateStreamTests {
    @Test func delegateLivesAsLongAsTheStream() async {
        let sensor = Sensor()
        weak var proxy: (any SensorDelegate)?
        do {
            let stream = CallbackStream(delegateOf: sensor)
            proxy = sensor.delegate
            #expect(proxy != nil)
            sensor.measure(20)
            #expect(await stream.next() == 20)
            withExtendedLifetime(stream) {}
        }
        #expect(proxy == nil)
        #expect(sensor.delegate == nil)
        #expect(sensor.removalCount == 1)
    }

    @Test func cancelReleasesTheDelegateAtOnce() {
        let sensor = Sensor()
        let stream = CallbackStream(delegateOf: sensor)
        weak let proxy = sensor.delegate
        stream.cancel()
        #expect(proxy == nil)
        #expect(sensor.removalCount == 1)
    }

    @Test func delegateThatTookOverIsLeftAlone() {
        let sensor = Sensor()
        let first = CallbackStream(delegateOf: sensor)
        let second = CallbackStream(delegateOf: sensor)
        let successor = sensor.delegate
        first.cancel()
        #expect(sensor.delegate === successor)
        withExtendedLifetime(second) {}
    }

    @Test func objectIsHeldWeakly() async {
        weak var object: Sensor?
        let streams: [CallbackStream<Int>]
        do {
            let sensor = Sensor()
            object = sensor
            streams = [CallbackStream(delegateOf: sensor), CallbackStream(observing: sensor)]
        }
        #expect(object == nil)
        for stream in streams { stream.cancel() }
    }

    @Test func streamOfAnObserverEndsWithItsObject() async {
        let stream: CallbackStream<Int>
        do {
            let sensor = Sensor()
            stream = CallbackStream(observing: sensor)
            sensor.measure(1)
        }
        #expect(await stream.reduce(into: []) { $0.append($1) } == [1])
    }

    @Test func observersComeAndGoWithTheirStreams() async {
        let sensor = Sensor()
        for round in 1...1_000 {
            let stream = CallbackStream(observing: sensor)
            #expect(sensor.observerCount == 1)
            sensor.measure(round)
            #expect(await stream.next() == round)
            stream.cancel()
        }
        #expect(sensor.observerCount == 0)
        #expect(sensor.removalCount == 1_000)
    }
}
