import AsyncPrimitives

/// Takes the codings off a body, piece by piece, and holds it to its limit.
///
/// libcurl could decode as well, but takes a gzip stream that ends early for a whole one.
final class ContentDecoder: Sendable {
    /// The most bytes that come out at a time, however well they were packed.
    static let roomSize = 64 * 1024

    private let stages: Lock<Stages>

    /// Makes a decoder for one body.
    ///
    /// - Parameters:
    ///   - codings: The codings in the order they were applied.
    ///   - limit: The most bytes that may come out of each.
    init(_ codings: [ContentCoding], limit: Int) {
        stages = Lock(Stages(codings, limit: limit))
    }

    /// Takes a coded piece; the one before must have been decoded.
    func feed(_ piece: [UInt8]) {
        stages.withLock { stages in
            stages.isEmpty = false
            stages.all.last?.decompressor.feed(piece)
        }
    }

    /// The next decoded bytes, never empty; `nil` when another piece is needed.
    func next() throws(HTTPClient.Error) -> [UInt8]? {
        try stages.withLock { stages throws(HTTPClient.Error) in try stages.next(0) }
    }

    /// Checks that the body was whole; called at its end.
    ///
    /// Servers name a coding also where there is no body at all, as with 204; nothing is as whole as it can be.
    func finish() throws(HTTPClient.Error) {
        try stages.withLock { stages throws(HTTPClient.Error) in
            if stages.isEmpty { return }
            for stage in stages.all.reversed() { try stage.decompressor.finish() }
        }
    }
}

/// One decompressor for each coding; the last one is fed by the network, each other one by the one after it.
private struct Stages {
    var all: [(decompressor: any Decompressor, size: Int)]
    var isEmpty = true
    let limit: Int

    init(_ codings: [ContentCoding], limit: Int) {
        all = codings.map { ($0.decompressor(), 0) }
        self.limit = limit
    }

    mutating func next(_ place: Int) throws(HTTPClient.Error) -> [UInt8]? {
        while true {
            if let decoded = try all[place].decompressor.next() { return try counted(decoded, at: place) }
            guard place + 1 < all.count, let coded = try next(place + 1) else { return nil }
            all[place].decompressor.feed(coded)
        }
    }

    private mutating func counted(_ decoded: [UInt8], at place: Int) throws(HTTPClient.Error) -> [UInt8] {
        all[place].size += decoded.count
        if all[place].size > limit { throw .tooLarge(.body, limit: limit) }
        return decoded
    }
}
