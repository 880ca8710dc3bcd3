internal import AsyncPrimitives

/// How long a change must last before it is delivered.
///
/// `up` holds back the news that the network is there, `down` the news that it is gone; what is over before its time
/// is never delivered. The first element, and a change that leaves reachable what was reachable, are never held back.
///
/// ```swift
/// let patient = Hysteresis(up: .zero, down: .seconds(2))  // online at once, offline after two seconds
/// await ReachabilityMonitor.shared.setHysteresis(patient)
/// ```
public struct Hysteresis: Sendable, Hashable {
    /// How long the network must have been reachable; never negative.
    public let up: Duration
    /// How long it must have been unreachable; never negative.
    public let down: Duration

    /// Makes a pair of limits; a negative one counts as zero, and one beyond 146 years as that.
    ///
    /// - Parameters:
    ///   - up: How long the network must have been reachable.
    ///   - down: How long it must have been unreachable.
    public init(up: Duration = .zero, down: Duration = .zero) {
        self.up = up.sleepable
        self.down = down.sleepable
    }

    /// Every change at once.
    public static let none = Hysteresis()
}
