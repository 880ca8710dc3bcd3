import CZlib

/// The gzip format (RFC 1952), read by zlib.
///
/// libcurl could decode as well, but takes a stream that ends early for a whole one.
enum Gzip {
    /// Decodes all members; throws unless each one is whole and its checksum right.
    static func decode(_ coded: [UInt8], limit: Int) throws(HTTPClient.Error) -> [UInt8] {
        var stream = z_stream()
        guard asynckit_inflate_init_gzip(&stream) == Z_OK else { throw .system("no memory to decode gzip") }
        defer { inflateEnd(&stream) }
        var decoder = Decoder(limit: limit)
        let outcome = coded.withUnsafeBufferPointer { coded in
            // zlib reads through this pointer and never writes.
            decoder.run(&stream, UnsafeMutableBufferPointer(mutating: coded))
        }
        if let outcome { throw outcome }
        return decoder.decoded
    }
}

private struct Decoder {
    private static let roomSize = 64 * 1024

    let limit: Int
    private(set) var decoded: [UInt8] = []
    private var room = [UInt8](repeating: 0, count: roomSize)

    init(limit: Int) {
        self.limit = limit
    }

    /// What went wrong, or `nil` after the end of the last member.
    mutating func run(_ stream: inout z_stream, _ coded: UnsafeMutableBufferPointer<UInt8>) -> HTTPClient
        .Error?
    {
        var isAtEnd = false
        var place = 0
        while place < coded.count || !isAtEnd {
            if isAtEnd { inflateReset(&stream) }
            let count = min(coded.count - place, 1 << 30)
            stream.next_in = coded.baseAddress.map { $0 + place }
            stream.avail_in = UInt32(count)
            let status = step(&stream)
            place += count - Int(stream.avail_in)
            if decoded.count > limit { return .tooLarge(.body, limit: limit) }
            switch status {
            case Z_STREAM_END: isAtEnd = true
            case Z_OK: isAtEnd = false
            case Z_BUF_ERROR: return .truncatedBody
            default: return .malformedResponse("its body is no gzip")
            }
        }
        return nil
    }

    private mutating func step(_ stream: inout z_stream) -> Int32 {
        let status = room.withUnsafeMutableBufferPointer { room in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(room.count)
            return inflate(&stream, Z_NO_FLUSH)
        }
        decoded.append(contentsOf: room.prefix(room.count - Int(stream.avail_out)))
        return status
    }
}
