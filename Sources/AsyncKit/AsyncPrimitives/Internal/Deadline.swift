import Glibc

/// A point in time of `CLOCK_MONOTONIC`, which no change of the wall clock moves; clock_gettime(2).
package struct Deadline: Sendable {
    package let nanoseconds: Int64

    package init(after duration: Duration) {
        nanoseconds = Self.now.addingSaturated(duration.wholeNanoseconds)
    }

    package static var now: Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// What is left, never negative.
    package var remaining: Duration { .nanoseconds(max(0, nanoseconds - Self.now)) }

    package var hasPassed: Bool { nanoseconds <= Self.now }

    /// Whether the time has come, up to one tick of the kernel (1 to 10 ms) late; a fraction of the cost.
    package var hasPassedByTick: Bool { nanoseconds <= Self.read(CLOCK_MONOTONIC_COARSE) }
}

extension Duration {
    /// Nanoseconds, held at the ends of `Int64` (292 years) and at zero.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? 0 : .max }
        return max(0, scaled.addingSaturated(attoseconds / 1_000_000_000))
    }

    /// The same, or 146 years where it is longer: `Task.sleep` traps on what its clock cannot hold.
    package var sleepable: Duration { .nanoseconds(min(wholeNanoseconds, .max / 2)) }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
