/// The part of a body that a 206 holds, such as `bytes 500-999/1234` (RFC 9110 §14.4).
struct ContentRange: Equatable {
    /// The first and the last byte, counted from 0.
    let first: Int
    let last: Int
    /// The size of the whole, or `nil` for `*`.
    let total: Int?

    /// Reads the value of a field; `nil` for whatever is not a part of bytes.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, bounds.count == 2,
            let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else { return nil }
        self.first = first
        self.last = last
        total = Self.number(halves[1])
        guard total.map({ last < $0 }) ?? (halves[1] == "*") else { return nil }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
