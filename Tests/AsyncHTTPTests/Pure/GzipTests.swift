import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct GzipTests {
    private let hello = Array("hello\n".utf8)

    /// Feeds the decoder pieces of a size, as the network would.
    private func decode(
        _ coded: [UInt8],
        limit: Int,
        inPiecesOf size: Int = 1000
    ) throws(HTTPClient.Error) -> [UInt8] {
        let decoder = ContentDecoder([.gzip], limit: limit)
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: coded.count, by: size) {
            decoder.feed(Array(coded[start..<min(coded.count, start + size)]))
            while let piece = try decoder.next() { decoded += piece }
        }
        try decoder.finish()
        return decoded
    }

    @Test func oneMemberAndSeveralAreDecoded() throws {
        #expect(try decode(Samples.gzipOfHello, limit: 6) == hello)
        #expect(try decode(Samples.gzipOfHello + Samples.gzipOfHello, limit: 100) == hello + hello)
    }

    @Test(arguments: 1..<Samples.gzipOfHello.count)
    func eachPrefixIsTruncated(count: Int) {
        let part = Array(Samples.gzipOfHello.prefix(count))
        #expect(throws: HTTPClient.Error.truncatedBody) { try decode(part, limit: 100) }
        #expect(throws: HTTPClient.Error.truncatedBody) {
            try decode(Samples.gzipOfHello + part, limit: 100)
        }
    }

    @Test(arguments: 0..<Samples.gzipOfHello.count)
    func eachFlippedByteIsNoticedOrHarmless(place: Int) {
        var broken = Samples.gzipOfHello
        broken[place] ^= 0x55
        let decoded = try? decode(broken, limit: 100)
        #expect(decoded == nil || decoded == hello)
    }

    @Test func whatFollowsTheLastMemberIsRefused() {
        #expect(throws: HTTPClient.Error.malformedResponse("its body is no gzip")) {
            try decode(Samples.gzipOfHello + Array("garbage".utf8), limit: 100)
        }
    }

    @Test func theLimitCountsDecodedBytes() {
        #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 5)) {
            try decode(Samples.gzipOfHello, limit: 5)
        }
        #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 1 << 20)) {
            try decode(Samples.gzipOfZeros(atLeast: 8 << 20), limit: 1 << 20)
        }
    }

    @Test(arguments: [1, 2, 7, 25, 1 << 20])
    func sizeOfThePiecesMakesNoDifference(size: Int) throws {
        let coded = Samples.gzipOfHello + Samples.gzipOfHello
        #expect(try decode(coded, limit: 100, inPiecesOf: size) == hello + hello)
    }

    @Test func wellPackedBytesComeOutInBoundedPieces() throws {
        let decoder = ContentDecoder([.gzip], limit: 100 << 20)
        decoder.feed(Samples.gzipOfZeros(atLeast: 8 << 20))
        var count = 0
        while let piece = try decoder.next() {
            #expect(piece.count <= ContentDecoder.roomSize)
            count += piece.count
        }
        // The sample has no end.
        #expect(throws: HTTPClient.Error.truncatedBody) { try decoder.finish() }
        #expect(count >= 8 << 20)
    }

    @Test func moreThanOneBufferFullIsDecoded() throws {
        let coded = (0..<30_000).flatMap { _ in Samples.gzipOfHello }
        let decoded = try decode(coded, limit: 1 << 20)
        #expect(decoded == (0..<30_000).flatMap { _ in hello })
    }
}
