/// Dates of HTTP header fields, in the three forms a recipient must understand (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The seconds since 1970, or nil when the text is no date.
    ///
    /// `now` decides the century of a year of two digits: not more than 50 years ahead.
    static func seconds(_ text: String, now: Int = 0) -> Int? {
        let parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
        if parts.count == 6, parts[5] == "GMT" {
            return seconds(day: parts[1], month: parts[2], year: parts[3], clock: parts[4], now)
        }
        // The form of C's asctime().
        guard parts.count == 5, parts[4].utf8.count == 4 else { return nil }
        return seconds(day: parts[2], month: parts[1], year: parts[4], clock: parts[3], now)
    }

    private static func seconds(
        day: Substring,
        month: Substring,
        year: Substring,
        clock: Substring,
        _ now: Int
    ) -> Int? {
        guard let day = number(day, 1...31), let month = months.firstIndex(of: String(month)),
            let year = self.year(year, now), let time = time(clock)
        else { return nil }
        return days(year: year, month: month + 1, day: day) * 86_400 + time
    }

    private static func time(_ clock: Substring) -> Int? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        // A leap second is 60.
        guard parts.count == 3, let hour = number(parts[0], 0...23), let minute = number(parts[1], 0...59),
            let second = number(parts[2], 0...60)
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private static func year(_ text: Substring, _ now: Int) -> Int? {
        if text.utf8.count == 4 { return number(text, 1...9999) }
        guard text.utf8.count == 2, let short = number(text, 0...99) else { return nil }
        let current = 1970 + now / 31_556_952
        let year = current / 100 * 100 + short
        return year > current + 50 ? year - 100 : year
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.count <= 4, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text)
        else {
            return nil
        }
        return range.contains(number) ? number : nil
    }

    /// The days from 1970-01-01 in the Gregorian calendar; the year begins in March, so that leap days come last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
