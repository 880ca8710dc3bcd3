import AsyncPrimitives

/// Events of an object that calls back, as a sequence for one task.
///
/// ```swift
/// let readings = CallbackStream<Double>(capacity: 16) { sink in
///     let id = sensor.addObserver { sink.send($0) }
///     return { sensor.removeObserver(id) }
/// }
/// for await reading in readings { print(reading) }
/// ```
///
/// The closure attaches and returns how to detach. It runs at once, on the calling thread, and events that come
/// while it runs are kept. Detaching happens exactly once: when ``Sink/finish()`` or ``cancel()`` is called, when
/// the task that waits for an event is cancelled, when every sink is gone and the rest has been read, or when the
/// stream is released, whichever comes first. It runs on the thread where that happens, with no lock held, so
/// that it may come while the object is calling its observers.
///
/// A reader that falls more than the capacity behind loses the oldest events; ``droppedCount`` says how many. Use
/// `Events` for several readers. Leaving the loop detaches as soon as nothing else holds the stream.
///
/// Memory: `capacity` events. Cost of an event: two short locks, and no allocation of its own.
public final class CallbackStream<Event: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// The events themselves.
    public typealias Element = Event

    private enum Stage {
        case open(Events<Event>.Subscription)
        case cancelled(droppedCount: UInt64)
    }

    private let stage: Lock<Stage>
    private let attachment = Attachment()
    /// Weak, so that the events end when the last sink goes away.
    private weak let events: Events<Event>?

    /// Attaches to an object that calls back.
    ///
    /// - Parameters:
    ///   - capacity: How many events the reader may be behind; at least 1, anything else traps.
    ///   - fileID: The file that a misuse is reported at.
    ///   - line: The line that a misuse is reported at.
    ///   - attach: Attaches, and returns what detaches; that may run on any thread.
    /// - Throws: What `attach` throws; nothing is detached then.
    public init<Failure: Error>(
        capacity: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        attach: (Sink) throws(Failure) -> @Sendable () -> Void
    ) throws(Failure) {
        let events = Events<Event>(capacity: capacity, fileID: fileID, line: line)
        self.events = events
        stage = Lock(.open(events.subscribe()))
        attachment.attached(try attach(Sink(events: events, attachment: attachment)))
    }

    deinit {
        attachment.end()
    }

    /// How many events were lost because the reader was more than the capacity behind, counted as it reads on.
    public var droppedCount: UInt64 {
        switch stage.withLock({ $0 }) {
        case .open(let subscription): subscription.droppedCount
        case .cancelled(let droppedCount): droppedCount
        }
    }

    /// Ends the sequence now: detaches, drops what is left and lets a waiting reader go.
    ///
    /// When it returns, nothing more is delivered. Calling it again, or from another thread at the same time,
    /// does nothing.
    public func cancel() {
        let subscription: Events<Event>.Subscription? = stage.withLock { stage in
            guard case .open(let subscription) = stage else { return nil }
            stage = .cancelled(droppedCount: subscription.droppedCount)
            return subscription
        }
        guard subscription != nil else { return }
        events?.finish()
        attachment.end()
    }

    /// Returns the stream itself; it does not start anew.
    ///
    /// - Returns: This stream.
    public func makeAsyncIterator() -> CallbackStream { self }

    /// Returns the next event, waiting for it if there is none.
    ///
    /// - Parameter actor: The caller's actor; the wait does not leave it.
    /// - Returns: An event, or `nil` when the stream has ended or the task is cancelled, which ends it.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async -> Event? {
        guard case .open(let subscription) = stage.withLock({ $0 }) else { return nil }
        guard let event = await subscription.next(isolation: actor) else {
            cancel()
            return nil
        }
        guard case .open = stage.withLock({ $0 }) else { return nil }
        return event
    }

    /// Returns the next event, waiting for it if there is none.
    ///
    /// - Returns: An event, or `nil` when the stream has ended or the task is cancelled, which ends it.
    public func next() async -> Event? {
        await next(isolation: #isolation)
    }

    /// The events as an `AsyncStream`, which holds this stream until it ends or is released.
    ///
    /// All that are made from one stream share its events.
    public var stream: AsyncStream<Event> {
        // A task that is cancelled before it asks for the first event never comes to `next`.
        AsyncStream(unfolding: { await self.next() }, onCancel: { self.cancel() })
    }
}
