extension CallbackStream {
    /// Attaches a delegate, which is made here and lives as long as the stream.
    ///
    /// ```swift
    /// let fixes = CallbackStream<Fix>(delegateOf: receiver, capacity: 16) { sink in
    ///     FixDelegate { sink.send($0) }
    /// } attach: { receiver, delegate in
    ///     receiver.delegate = delegate
    /// } detach: { receiver, delegate in
    ///     if receiver.delegate === delegate { receiver.delegate = nil }
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
    /// let levels = CallbackStream<Int>(observing: battery, capacity: 1) { battery, change in
    ///     battery.observeLevel(change)
    /// } unregister: { battery, token in
    ///     battery.removeObserver(token)
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
