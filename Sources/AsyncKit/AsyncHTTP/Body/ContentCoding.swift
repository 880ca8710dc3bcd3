/// A coding that is asked for, and taken off the body that comes (RFC 9110 §8.4.1).
enum ContentCoding: Sendable {
    case gzip
    /// RFC 7932.
    case brotli

    /// What `Accept-Encoding` names.
    static let accepted = "gzip, br"

    /// The most codings that are taken off one body.
    ///
    /// Servers have been seen to compress twice by mistake; each more would allow another window in memory.
    static let maximumCount = 2

    init?(name: some StringProtocol) {
        switch name.lowercased() {
        case "gzip", "x-gzip": self = .gzip
        case "br": self = .brotli
        default: return nil
        }
    }

    /// The codings of a `Content-Encoding` in the order they were applied; `nil` if not all of them can be taken off.
    static func list(_ value: String) -> [ContentCoding]? {
        let names = value.split(separator: ",").map { $0.split { " \t".contains($0) }.joined(separator: " ") }
        let codings = names.compactMap { ContentCoding(name: $0) }
        return codings.count == names.count && (1...maximumCount).contains(codings.count) ? codings : nil
    }

    func decompressor() -> any Decompressor {
        switch self {
        case .gzip: GzipDecompressor()
        case .brotli: BrotliDecompressor()
        }
    }
}
