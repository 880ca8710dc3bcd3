/// The lines of a header, without their line ends and without empty ones.
struct HeaderLines: IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = Self.unfolded(bytes)[...]
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let start = rest.firstIndex(where: { $0 != UInt8(ascii: "\n") }) else { return nil }
        let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[start..<end]
    }

    /// Joins a line that begins with white space to the one before (RFC 9112 §5.2).
    private static func unfolded(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var place = 0
        while let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")), end + 1 < bytes.count {
            place = end + 1
            guard bytes[place].isBlank else { continue }
            bytes[end] = UInt8(ascii: " ")
            if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { bytes[end - 1] = UInt8(ascii: " ") }
        }
        return bytes
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension ArraySlice<UInt8> {
    /// Without white space, carriage returns included, at both ends.
    var trimmed: ArraySlice<UInt8> {
        let head = drop { $0.isBlank || $0 == UInt8(ascii: "\r") }
        let end = head.lastIndex { !$0.isBlank && $0 != UInt8(ascii: "\r") }
        return end.map { head[...$0] } ?? []
    }
}
