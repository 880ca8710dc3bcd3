import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct BrotliTests {
    private let malformed = HTTPClient.Error.malformedResponse("its body is no brotli")

    /// Feeds the decoder these pieces, as the network would.
    private func decode(_ pieces: [[UInt8]], limit: Int = 10_000) throws(HTTPClient.Error) -> [UInt8] {
        let decoder = ContentDecoder([.brotli], limit: limit)
        var decoded: [UInt8] = []
        for piece in pieces {
            decoder.feed(piece)
            while let piece = try decoder.next() { decoded += piece }
        }
        try decoder.finish()
        return decoded
    }

    @Test func aStreamIsDecodedHoweverLongItIs() throws {
        #expect(try decode([Samples.brotliOfBottles]) == Samples.bottles)
        #expect(try decode([Samples.brotliOfHello]) == Array("hello\n".utf8))
        #expect(try decode([Samples.brotliOfNothing]).isEmpty)
    }

    @Test(arguments: 0...Samples.brotliOfBottles.count)
    func placeOfTheSplitMakesNoDifference(place: Int) throws {
        let coded = Samples.brotliOfBottles
        #expect(try decode([Array(coded[..<place]), Array(coded[place...])]) == Samples.bottles)
    }

    @Test func bytesComeAsSoonAsTheyCanBeDecoded() throws {
        let decoder = ContentDecoder([.brotli], limit: 10_000)
        var counts: [Int] = []
        for byte in Samples.brotliOfBottles {
            decoder.feed([byte])
            while let piece = try decoder.next() { counts.append(piece.count) }
        }
        try decoder.finish()
        #expect(counts.reduce(0, +) == Samples.bottles.count)
        #expect(counts.count > 5)
    }

    @Test(arguments: 1..<Samples.brotliOfBottles.count)
    func eachPrefixIsTruncated(count: Int) {
        let part = Array(Samples.brotliOfBottles.prefix(count))
        #expect(throws: HTTPClient.Error.truncatedBody) { try decode([part]) }
        #expect(throws: HTTPClient.Error.truncatedBody) { try decode(part.map { [$0] }) }
    }

    /// There is no checksum that would notice each of them.
    @Test(arguments: Samples.brotliOfBottles.indices)
    func aFlippedByteDoesNoHarm(place: Int) {
        for mask: UInt8 in [0x01, 0x10, 0x55, 0x80, 0xFF] {
            var broken = Samples.brotliOfBottles
            broken[place] ^= mask
            do throws(HTTPClient.Error) {
                #expect(try decode([broken]).count <= 10_000)
            } catch {
                let expected = [malformed, .truncatedBody, .tooLarge(.body, limit: 10_000)]
                #expect(expected.contains(error))
            }
        }
    }

    @Test func whatFollowsTheStreamIsRefused() {
        for more in [[0], Array("garbage".utf8), Samples.brotliOfNothing, Samples.brotliOfBottles] {
            #expect(throws: malformed) { try decode([Samples.brotliOfBottles + more]) }
            #expect(throws: malformed) { try decode([Samples.brotliOfBottles, more]) }
        }
        #expect(throws: Never.self) { try decode([Samples.brotliOfBottles, []]) }
    }

    @Test func whatIsNoBrotliIsRefused() {
        #expect(throws: malformed) { try decode([Samples.gzipOfHello]) }
        #expect(throws: malformed) { try decode([Array("<html><body></body></html>".utf8)]) }
    }

    /// A window beyond RFC 7932, which could take up to 1 GiB, begins with a code that the RFC forbids (§9.1).
    @Test func aLargeWindowIsRefused() {
        let gibibyte: [UInt8] = [0x11, 30]
        #expect(throws: malformed) { try decode([gibibyte + Samples.brotliOfHello]) }
    }

    @Test func theLimitCountsDecodedBytes() {
        #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 1270)) {
            try decode([Samples.brotliOfBottles], limit: 1270)
        }
        #expect(throws: Never.self) { try decode([Samples.brotliOfBottles], limit: 1271) }
        #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 1 << 20)) {
            try decode([Samples.brotliOfAGibibyte], limit: 1 << 20)
        }
    }

    @Test func wellPackedBytesComeOutInBoundedPieces() throws {
        let decoder = ContentDecoder([.brotli], limit: 100 << 20)
        decoder.feed(Samples.brotliOfAGibibyte)
        var (largest, count) = (0, 0)
        while count < 64 << 20, let piece = try decoder.next() {
            largest = max(largest, piece.count)
            count += piece.count
        }
        #expect(largest <= ContentDecoder.roomSize)
        #expect(count >= 64 << 20)
    }
}
