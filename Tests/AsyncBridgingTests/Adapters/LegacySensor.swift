import AsyncPrimitives

@testable import AsyncBridging

protocol SensorDelegate: AnyObject, Sendable {
    func sensor(_ sensor: Sensor, didMeasure value: Int)
}

/// An object of the old kind: one weak delegate, and observers that are registered and unregistered.
final class Sensor: Sendable {
    typealias Observer = @Sendable (Int) -> Void

    private struct WeakDelegate {
        weak var delegate: (any SensorDelegate)?
    }

    private let slot = Lock(WeakDelegate())
    private let observers = Lock<[Int: Observer]>([:])
    private let lastToken = Lock(0)
    let removals = Lock(0)

    var delegate: (any SensorDelegate)? {
        get { slot.withLock { $0.delegate } }
        set { slot.withLock { $0.delegate = newValue } }
    }

    var observerCount: Int { observers.withLock { $0.count } }
    var removalCount: Int { removals.withLock { $0 } }

    func add(_ observer: @escaping Observer) -> Int {
        let token = lastToken.withLock { last in
            last += 1
            return last
        }
        observers.withLock { $0[token] = observer }
        return token
    }

    func remove(_ token: Int) {
        removals.withLock { $0 += 1 }
        let removed = observers.withLock { $0.removeValue(forKey: token) }
        withExtendedLifetime(removed) {}
    }

    /// Calls everybody who was there when it began, as old code does.
    func measure(_ value: Int) {
        let called = observers.withLock { $0.values.map { $0 } }
        for observer in called { observer(value) }
        delegate?.sensor(self, didMeasure: value)
    }
}

final class SensorProxy: SensorDelegate {
    private let sink: CallbackStream<Int>.Sink

    init(sink: CallbackStream<Int>.Sink) {
        self.sink = sink
    }

    func sensor(_ sensor: Sensor, didMeasure value: Int) {
        sink.send(value)
    }
}

extension CallbackStream where Event == Int {
    convenience init(observing sensor: Sensor, capacity: Int = 16) {
        self.init(observing: sensor, capacity: capacity) { sensor, change in
            sensor.add(change)
        } unregister: { sensor, token in
            sensor.remove(token)
        }
    }

    convenience init(delegateOf sensor: Sensor, capacity: Int = 16) {
        self.init(delegateOf: sensor, capacity: capacity) { sink in
            SensorProxy(sink: sink)
        } attach: { sensor, proxy in
            sensor.delegate = proxy
        } detach: { sensor, proxy in
            sensor.removals.withLock { $0 += 1 }
            if sensor.delegate === proxy { sensor.delegate = nil }
        }
    }
}
