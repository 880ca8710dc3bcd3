import AsyncPrimitives
import Synchronization

extension SyncBridge {
    /// What is known about a wait in which nothing has happened for a while.
    public struct StallReport: Sendable, CustomStringConvertible {
        /// Where the wait was called.
        public let callSite: CallSite

        /// How long it has waited without running anything.
        public let idle: Duration

        /// How many jobs of the operation it has run before.
        public let jobCount: Int

        /// The report in one line.
        public var description: String {
            "SyncBridge: the wait at \(callSite) has had nothing to run for \(idle) after \(jobCount) jobs; "
                + "its operation waits for something that does not come."
        }
    }

    private struct Settings: Sendable {
        var stallInterval = Duration.seconds(10)
        var onStall: @Sendable (StallReport) -> Void = { StandardError.write("\($0)") }
    }

    private static let settings = Lock(Settings())

    /// Read by every wait, so it is not behind the lock: nanoseconds, and -1 for no deadline.
    private static let timeoutNanoseconds = Atomic<Int64>(300_000_000_000)

    /// The deadline of waits that name none, for the whole process; 300 seconds unless set, `nil` for none.
    ///
    /// It can be read and set from any thread and counts for waits that begin afterwards.
    public static var defaultTimeout: Duration? {
        get {
            let nanoseconds = timeoutNanoseconds.load(ordering: .relaxed)
            return nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
        }
        set { timeoutNanoseconds.store(newValue?.wholeNanoseconds ?? -1, ordering: .relaxed) }
    }

    /// How long a wait may be idle before it is reported, for the whole process; 10 seconds unless set.
    ///
    /// A wait is reported once, however long it goes on.
    public static var stallInterval: Duration {
        get { settings.withLock { $0.stallInterval } }
        set { settings.withLock { $0.stallInterval = newValue } }
    }

    /// What is told of stalled waits, for the whole process; it writes a line to standard error unless set.
    ///
    /// It is called on the thread that waits, and without a lock.
    public static var onStall: @Sendable (StallReport) -> Void {
        get { settings.withLock { $0.onStall } }
        set {
            // The old closure is let go after unlocking: what it holds may end with it.
            _ = settings.withLock { settings in
                defer { settings.onStall = newValue }
                return settings.onStall
            }
        }
    }
}
