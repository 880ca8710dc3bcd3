internal import AsyncPrimitives

/// Whether the network is in use, for the indicator of an app.
///
/// ```swift
/// Task { @MainActor in
///     for await isActive in NetworkActivity.shared.isActive {
///         print(isActive ? "loading …" : "done")
///     }
/// }
/// ```
///
/// Every request of every ``HTTPClient`` counts in ``shared``, unless ``HTTPClient/Configuration/activity`` says
/// otherwise. Work of your own counts with ``during(_:)``, or with a token from ``begin()``.
///
/// The count can't get stuck or below zero: whatever counts holds a token, and a token ends once, at the latest when
/// it is released.
///
/// With delays, an indicator does not flicker; see ``setDelays(show:hide:)``.
///
/// All of it can be called from any thread and never waits. To begin and to end cost some short locks each; while a
/// delay runs there is a task that sleeps, and no thread.
public final class NetworkActivity: Sendable {
    /// The activity of the whole program.
    public static let shared = NetworkActivity()

    private let meter = Lock(ActivityMeter())
    private let shown = State(false)

    /// Makes an activity in which nothing is under way yet, without delays.
    public init() {}

    /// Shows only what lasts, and bridges short gaps, for every reader of ``isActive``.
    ///
    /// ```swift
    /// NetworkActivity.shared.setDelays(show: .seconds(1), hide: .milliseconds(200))
    /// ```
    ///
    /// Without this call both are zero. What runs already is measured by the new delays. They count by a clock that
    /// nobody can set; less than nothing counts as zero.
    ///
    /// - Parameters:
    ///   - show: How long something must be under way without a gap before ``isActive`` says true.
    ///   - hide: How long nothing must be under way before ``isActive`` says false.
    public func setDelays(show: Duration = .zero, hide: Duration = .zero) {
        let (show, hide) = (show.sleepable, hide.sleepable)
        follow { $0.setDelays(show: show, hide: hide, at: .now) }
    }

    /// How many pieces of work are under way now, whatever the delays.
    public var count: Int { meter.withLock { $0.count } }

    /// Whether anything is under way: the current answer at once, then each change; a new stream at each access.
    ///
    /// No two neighbours are equal. A slow reader skips what was replaced meanwhile and holds one element. Readers
    /// don't share anything, and one that leaves or is cancelled ends its own stream alone. The stream ends when the
    /// activity is released.
    public var isActive: AsyncStream<Bool> { shown.stream }

    /// Counts one more until its token ends.
    ///
    /// ```swift
    /// let token = NetworkActivity.shared.begin()
    /// print("the old library sends its request")
    /// token.end()
    /// ```
    ///
    /// - Returns: The token, to be kept for as long as the work takes; one that nobody keeps ends at once.
    public func begin() -> Token {
        follow { $0.begin(at: .now) }
        return Token(of: self)
    }

    /// Counts one more while the work runs, however it ends.
    ///
    /// ```swift
    /// let bytes = try await NetworkActivity.shared.during { try await download("a.png") }
    /// ```
    ///
    /// Cancellation is left to the work, which counts until it has returned.
    ///
    /// - Parameter work: Runs where the caller runs.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    public func during<Result, Failure: Error>(
        _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let token = begin()
        defer { token.end() }
        return try await work()
    }

    /// Called once by each token.
    func end() {
        follow { $0.end(at: .now) }
    }
}

extension NetworkActivity {
    private func follow(_ change: (inout ActivityMeter) -> ContinuousClock.Instant?) {
        let alarm = meter.withLock { change(&$0) }
        tell()
        if let alarm { setAlarm(at: alarm) }
    }

    private func tell() {
        while let edge = meter.withLock({ $0.beginTelling() }) {
            shown.set(edge)
            meter.withLock { $0.endTelling() }
        }
    }

    private func setAlarm(at time: ContinuousClock.Instant) {
        Task { [weak self] in
            try? await Task.sleep(until: time, clock: .continuous)
            // A clock that wakes a moment early must not stop the alarm for good.
            self?.follow { $0.expire(at: max(.now, time)) }
        }
    }
}

extension NetworkActivity: Hashable {
    /// Whether both are the same object.
    public static func == (left: NetworkActivity, right: NetworkActivity) -> Bool { left === right }

    /// Feeds the identity of the object to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
