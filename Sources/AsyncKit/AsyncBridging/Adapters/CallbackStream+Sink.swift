import AsyncPrimitives

extension CallbackStream {
    /// Takes the events of an object that calls back.
    ///
    /// Copies send to the same stream. When all of them are gone, the stream ends after what is left.
    public struct Sink: Sendable {
        private let events: Events<Event>
        private let attachment: Attachment

        init(events: Events<Event>, attachment: Attachment) {
            self.events = events
            self.attachment = attachment
        }

        /// Delivers an event; never waits, can be called from any thread.
        ///
        /// Events sent from one thread arrive in that order. After the end of the stream nothing happens.
        ///
        /// - Parameter event: The event.
        public func send(_ event: Event) {
            events.send(event)
        }

        /// Detaches, and ends the stream after the events that are left.
        ///
        /// Detaching happens on this thread before the call returns, unless it has happened before. Called
        /// while the object is still being attached, it happens right after that.
        public func finish() {
            events.finish()
            attachment.end()
        }
    }
}
