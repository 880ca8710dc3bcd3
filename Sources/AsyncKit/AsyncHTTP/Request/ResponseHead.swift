/// Status line and header fields of a final answer, read from the bytes that came.
struct ResponseHead: Sendable {
    let status: Int
    private(set) var fields = HTTPFields()
    /// The length that the body shall have, as it comes (RFC 9110 §8.6).
    private(set) var contentLength: Int?

    /// Reads the lines, each with its line end, the status line first (RFC 9112 §4, §5).
    init(_ bytes: [UInt8]) throws(HTTPClient.Error) {
        var lines = HeaderLines(bytes)
        guard let first = lines.next(), let status = Self.status(of: first) else {
            throw .malformedResponse("the status line can't be read")
        }
        self.status = status
        var length: String?
        while let line = lines.next() {
            guard let field = try Self.field(of: line) else { continue }
            if field.name.isSameFieldName(as: "Content-Length") {
                guard length ?? field.value == field.value else {
                    throw .malformedResponse("it names several lengths")
                }
                length = field.value
            }
            fields.append(field)
        }
        contentLength = length.flatMap { Int($0) }
    }

    /// Whether a status line begins an interim answer, which another one follows (RFC 9110 §15.2).
    static func isInterim(_ bytes: [UInt8]) -> Bool {
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return false }
        return bytes[space...].dropFirst().first == UInt8(ascii: "1")
    }

    /// The codings of the body in the order they were applied; `nil` without any, or if not all can be taken off.
    var codings: [ContentCoding]? { fields["Content-Encoding"].flatMap { ContentCoding.list($0) } }
}

extension ResponseHead {
    private static func status(of line: ArraySlice<UInt8>) -> Int? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count > 1 else { return nil }
        let status = Int(String(decoding: words[1].trimmed, as: UTF8.self))
        return status.flatMap { (200...999).contains($0) ? $0 : nil }
    }

    /// The field in a line; `nil` in a line without any.
    private static func field(of line: ArraySlice<UInt8>) throws(HTTPClient.Error) -> HTTPFields.Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            if line.trimmed.isEmpty { return nil }
            throw .malformedResponse("a header line has no name")
        }
        return HTTPFields.Field(
            name: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)
        )
    }
}
