/// Status line and header fields of a final answer, read from the bytes that came.
struct ResponseHead: Sendable {
    let status: Int
    private(set) var fields = HTTPFields()

    /// Reads the lines, each with its line end, the status line first (RFC 9112 §4, §5).
    init(_ bytes: [UInt8]) throws(HTTPClient.Error) {
        var rest = Self.unfolded(bytes)[...]
        guard let first = Self.takeLine(&rest), let status = Self.status(of: first) else {
            throw .malformedResponse("the status line can't be read")
        }
        self.status = status
        while let line = Self.takeLine(&rest) { try add(line) }
        let lengths = fields.values(of: "Content-Length")
        guard lengths.allSatisfy({ $0 == lengths.first }) else {
            throw .malformedResponse("it names several lengths")
        }
    }

    /// Whether a status line begins an interim answer, which another one follows (RFC 9110 §15.2).
    static func isInterim(_ bytes: [UInt8]) -> Bool {
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return false }
        return bytes[space...].dropFirst().first == UInt8(ascii: "1")
    }

    /// The length that the body shall have, as it comes (RFC 9110 §8.6).
    var contentLength: Int? { fields["Content-Length"].flatMap { Int($0) } }

    /// The codings of the body in the order they were applied; `nil` without any, or if not all can be taken off.
    var codings: [ContentCoding]? { fields["Content-Encoding"].flatMap { ContentCoding.list($0) } }
}

extension ResponseHead {
    /// The next line that is not empty, without its line end.
    private static func takeLine(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let start = bytes.firstIndex(where: { $0 != UInt8(ascii: "\n") }) else { return nil }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        defer { bytes = bytes[end...] }
        return bytes[start..<end]
    }

    private static func status(of line: ArraySlice<UInt8>) -> Int? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count > 1 else { return nil }
        let status = Int(String(decoding: words[1].trimmed, as: UTF8.self))
        return status.flatMap { (200...999).contains($0) ? $0 : nil }
    }

    private mutating func add(_ line: ArraySlice<UInt8>) throws(HTTPClient.Error) {
        guard !line.trimmed.isEmpty else { return }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw .malformedResponse("a header line has no name")
        }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        fields.append(name, String(decoding: line[colon...].dropFirst().trimmed, as: UTF8.self))
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
    fileprivate var trimmed: ArraySlice<UInt8> {
        let head = drop { $0.isBlank || $0 == UInt8(ascii: "\r") }
        let end = head.lastIndex { !$0.isBlank && $0 != UInt8(ascii: "\r") }
        return end.map { head[...$0] } ?? []
    }
}
