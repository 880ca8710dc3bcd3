internal import Synchronization

extension NetworkActivity {
    /// One piece of work that is under way; it counts from ``NetworkActivity/begin()`` until it ends.
    ///
    /// It ends by ``end()``, or when it is released, whichever comes first, and only once. It keeps its activity.
    public final class Token: Sendable {
        private let activity: NetworkActivity
        private let hasEnded = Atomic(false)

        init(of activity: NetworkActivity) {
            self.activity = activity
        }

        deinit {
            end()
        }

        /// Ends what the token counts; further calls change nothing.
        ///
        /// Can be called from any thread and never waits.
        public func end() {
            if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { activity.end() }
        }
    }
}
