import Glibc

/// A moment by the clock on the wall.
struct Timestamp: Equatable {
    let seconds: Int
    let milliseconds: Int

    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    /// In UTC, such as `2026-02-03T04:05:06.789Z` (RFC 3339).
    var rfc3339: String {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date =
            "\(digits(Int(parts.tm_year) + 1900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
        return "\(date)T\(clock(parts)).\(digits(milliseconds, 3))Z"
    }

    /// The hour, minute and second where this machine is.
    var localClock: String {
        var seconds = time_t(seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return clock(parts)
    }

    private func clock(_ parts: tm) -> String {
        "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
    }
}

private func digits(_ number: some BinaryInteger, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
}
