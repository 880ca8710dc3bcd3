extension CallbackStream {
    /// Attaches a delegate, which is made here and lives as long as the stream.
    ///
    /// ```swift
    /// final class Relay: SensorDelegate {
    ///     private let sink: CallbackStream<Double>.Sink
    ///     init(to sink: CallbackStream<Double>.Sink) { self.sink = sink }
    ///     func sensorDidRead(_ value: Double) { sink.send(value) }
    /// }
    ///
    /// let readings = CallbackStream<Double>(delegateOf: sensor, capacity: 16) { sink in
    ///     Relay(to: sink)
    /// } attach: { sensor, relay in
    ///     sensor.delegate = relay
    /// } detach: { sensor, relay in
    ///     if sensor.delegate === relay { sensor.delegate = nil }
    /// }
    /// ```
    ///
    /// The object is held weakly. When it is gone nothing is detached, and as nobody can tell that no event will
    /// come any more, the reader waits on: end the stream with ``cancel()`` or by cancelling the task.
    ///
    /// - Parameters:
    ///   - object: The object that has the delegate. It is touched from the thread where the stream ends, which
    ///     is why it must be `Sendable`.
    ///   - capacity: How many events the reader may be behind; at least 1, anything else traps.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    ///   - delegate: Makes the delegate, which sends what it is told to the sink.
    ///   - attach: Makes it the object's delegate.
    ///   - detach: Undoes that; runs once, on any thread.
    public convenience init<Object: AnyObject & Sendable, Delegate: AnyObject & Sendable>(
        delegateOf object: Object,
        capacity: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        delegate: (Sink) -> Delegate,
        attach: (Object, Delegate) -> Void,
        detach: @escaping @Sendable (Object, Delegate) -> Void
    ) {
        self.init(capacity: capacity, fileID: fileID, line: line) { sink in
            let delegate = delegate(sink)
            attach(object, delegate)
            return { [weak object] in
                if let object { detach(object, delegate) }
            }
        }
    }

    /// Registers an observer, and unregisters it at the end.
    ///
    /// ```swift
    /// let readings = CallbackStream<Double>(observing: sensor, capacity: 1) { sensor, observer in
    ///     sensor.addObserver(observer)
    /// } unregister: { sensor, id in
    ///     sensor.removeObserver(id)
    /// }
    /// ```
    ///
    /// The object is held weakly. When it goes away and releases its observers, the stream ends after what is
    /// left, unless the token keeps the observer alive.
    ///
    /// - Parameters:
    ///   - object: The object to observe. It is touched from the thread where the stream ends, which is why it
    ///     must be `Sendable`.
    ///   - capacity: How many events the reader may be behind; at least 1, anything else traps.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    ///   - register: Registers the closure, which can be called from any thread, and returns a token.
    ///   - unregister: Takes the token back; runs once, on any thread.
    public convenience init<Object: AnyObject & Sendable, Token: Sendable>(
        observing object: Object,
        capacity: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        register: (Object, @escaping @Sendable (Event) -> Void) -> Token,
        unregister: @escaping @Sendable (Object, Token) -> Void
    ) {
        self.init(capacity: capacity, fileID: fileID, line: line) { sink in
            let token = register(object) { sink.send($0) }
            return { [weak object] in
                if let object { unregister(object, token) }
            }
        }
    }
}
