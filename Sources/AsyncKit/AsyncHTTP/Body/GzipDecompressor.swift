import CZlib

/// Reads the gzip format (RFC 1952), with zlib.
final class GzipDecompressor: Decompressor, @unchecked Sendable {
    // Not safe by itself: ContentDecoder uses it under its lock.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private var coded: [UInt8] = []
    private var place = 0
    /// Whether the last byte ended a member; more members may follow.
    private var isAtEnd = false
    /// Whether zlib has more to give without another byte.
    private var isRoomFull = false

    init() {
        stream = .allocate(capacity: 1)
        // zlib's state points back to this, so it must stay where it is.
        stream.initialize(to: z_stream())
        isReady = asynckit_inflate_init_gzip(stream) == Z_OK
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func feed(_ piece: [UInt8]) {
        (coded, place) = (piece, 0)
    }

    func next() throws(HTTPClient.Error) -> [UInt8]? {
        guard isReady else { throw .system("no memory to decode gzip") }
        while place < coded.count || isRoomFull {
            let decoded = try step()
            if !decoded.isEmpty { return decoded }
        }
        return nil
    }

    func finish() throws(HTTPClient.Error) {
        if !isAtEnd { throw .truncatedBody }
    }

    private func step() throws(HTTPClient.Error) -> [UInt8] {
        if isAtEnd { inflateReset(stream) }
        let (decoded, status) = inflateOnce()
        switch status {
        case Z_STREAM_END: (isAtEnd, isRoomFull) = (true, false)
        // No progress is possible without another byte.
        case Z_BUF_ERROR: isRoomFull = false
        case Z_OK: isAtEnd = false
        default: throw .malformedResponse("its body is no gzip")
        }
        return decoded
    }

    private func inflateOnce() -> (decoded: [UInt8], status: Int32) {
        var status = Z_OK
        let given = min(coded.count - place, 1 << 30)
        let decoded = [UInt8](unsafeUninitializedCapacity: ContentDecoder.roomSize) { room, count in
            coded.withUnsafeBufferPointer { coded in
                // zlib reads through this pointer and never writes.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: coded.baseAddress.map { $0 + place })
                stream.pointee.avail_in = UInt32(given)
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                status = inflate(stream, Z_NO_FLUSH)
            }
            count = room.count - Int(stream.pointee.avail_out)
        }
        place += given - Int(stream.pointee.avail_in)
        isRoomFull = stream.pointee.avail_out == 0
        return (decoded, status)
    }
}
