internal import AsyncPrimitives

/// What poll(2) is given for how long it may sleep.
enum PollTimeout {
    /// Whole milliseconds, rounded up, so as not to come too early and spin; -1 is for ever.
    static func milliseconds(_ limit: Duration?) -> Int32 {
        guard let nanoseconds = limit?.wholeNanoseconds else { return -1 }
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}
