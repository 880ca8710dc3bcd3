import CBrotli

/// Reads the brotli format (RFC 7932), with libbrotlidec.
///
/// Its window holds up to 16 MiB (§9.1; larger ones are an extension that stays off). It is allocated when the stream
/// says how much comes, and grows with that. The old window lives until the new one is filled from it: 25 MiB were
/// measured with its tables while it grew from 8 to 16.
final class BrotliDecompressor: Decompressor, @unchecked Sendable {
    // Not safe by itself: ContentDecoder uses it under its lock.
    private let state = BrotliDecoderCreateInstance(nil, nil, nil)
    private var coded: [UInt8] = []
    private var place = 0
    private var needsInput = true
    private var isAtEnd = false

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    func feed(_ piece: [UInt8]) {
        (coded, place) = (piece, 0)
        needsInput = piece.isEmpty
    }

    func next() throws(HTTPClient.Error) -> [UInt8]? {
        guard state != nil else { throw noMemory }
        while true {
            if let decoded = takeDecoded() { return decoded }
            if needsInput { return nil }
            try step()
        }
    }

    func finish() throws(HTTPClient.Error) {
        if !isAtEnd { throw .truncatedBody }
    }

    private func step() throws(HTTPClient.Error) {
        switch decompress() {
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: needsInput = true
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
        case BROTLI_DECODER_RESULT_SUCCESS: try end()
        default: throw ranOutOfMemory ? noMemory : malformed
        }
    }

    /// A body is one stream, and what follows it is refused, as libcurl does.
    ///
    /// Firefox drops it instead, and does not notice that a body was pieced together from several.
    private func end() throws(HTTPClient.Error) {
        (isAtEnd, needsInput) = (true, true)
        if place < coded.count { throw malformed }
    }

    /// Decodes into the window alone, until that is full or another byte is needed.
    private func decompress() -> BrotliDecoderResult {
        coded.withUnsafeBufferPointer { coded in
            var left = coded.count - place
            var next = coded.baseAddress.map { $0 + place }
            var room = 0
            let result = BrotliDecoderDecompressStream(state, &left, &next, &room, nil, nil)
            place = coded.count - left
            return result
        }
    }

    /// Copies out of the window what has been decoded.
    private func takeDecoded() -> [UInt8]? {
        var count = ContentDecoder.roomSize
        let decoded = BrotliDecoderTakeOutput(state, &count)
        return count > 0 ? Array(UnsafeBufferPointer(start: decoded, count: count)) : nil
    }
}

extension BrotliDecompressor {
    private var noMemory: HTTPClient.Error { .system("no memory to decode brotli") }

    private var malformed: HTTPClient.Error { .malformedResponse("its body is no brotli") }

    /// Errors of allocation have a range of their own, counted downwards.
    private var ranOutOfMemory: Bool {
        let first = BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
        let last = BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES.rawValue
        return (last...first).contains(BrotliDecoderGetErrorCode(state).rawValue)
    }
}
