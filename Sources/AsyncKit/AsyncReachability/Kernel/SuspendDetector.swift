internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// Notices that the machine was suspended; pure.
///
/// CLOCK_MONOTONIC stands still meanwhile and CLOCK_BOOTTIME does not (clock_gettime(2)), so their difference grows.
struct SuspendDetector {
    private var known: Duration?

    /// Two clocks are read one after the other, and the thread may be held up in between.
    private static let tolerance = Duration.milliseconds(100)

    /// True when the time in suspend has grown since the last call.
    mutating func hasWoken(suspendedTime now: Duration) -> Bool {
        defer { known = known.map { max($0, now) } ?? now }
        return known.map { now - $0 > Self.tolerance } ?? false
    }

    /// How long the machine has been suspended since it was started.
    static func suspendedTime() -> Duration {
        // In this order a delay in between makes the result smaller, never larger.
        let boottime = read(CLOCK_BOOTTIME)
        return boottime - read(CLOCK_MONOTONIC)
    }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A descriptor that becomes readable when the clock is set or the machine wakes up, and at no other time.
///
/// It is a timer for a day far away that the kernel cancels then (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`), so
/// it costs no wake-up.
struct ClockAlarm {
    let descriptor: Descriptor

    init?() {
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        guard let descriptor = Descriptor(timerfd_create(CLOCK_REALTIME, flags)) else { return nil }
        var setting = itimerspec()
        setting.it_value.tv_sec = .max / 2_000_000_000
        let kind = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(descriptor.number, kind, &setting, nil) == 0 else { return nil }
        self.descriptor = descriptor
    }

    /// Makes it quiet again.
    func silence() {
        var count: UInt64 = 0
        read(descriptor.number, &count, 8)
    }
}
