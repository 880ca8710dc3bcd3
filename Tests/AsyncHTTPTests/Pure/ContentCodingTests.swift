import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct ContentCodingTests {
    private func decode(
        _ codings: [ContentCoding],
        _ coded: [UInt8],
        limit: Int = 100
    ) throws(HTTPClient.Error) -> [UInt8] {
        let decoder = ContentDecoder(codings, limit: limit)
        var decoded: [UInt8] = []
        for byte in coded {
            decoder.feed([byte])
            while let piece = try decoder.next() { decoded += piece }
        }
        try decoder.finish()
        return decoded
    }

    @Test func namesAreReadInAnyCaseAndInTheOrderOfTheField() {
        #expect(ContentCoding.list("gzip") == [.gzip])
        #expect(ContentCoding.list("X-GZip") == [.gzip])
        #expect(ContentCoding.list("BR") == [.brotli])
        #expect(ContentCoding.list("br,gzip") == [.brotli, .gzip])
        #expect(ContentCoding.list("gzip ,\t br") == [.gzip, .brotli])
    }

    @Test(arguments: [
        "", " ", ",", "identity", "deflate", "brotli", "g zip", "gzip;q=1", "gzip, zstd", "zstd, br",
        "br, br, br",
    ])
    func whatCannotBeTakenOffAsAWholeIsLeft(value: String) {
        #expect(ContentCoding.list(value) == nil)
    }

    @Test func theLastCodingComesOffFirst() throws {
        let hello = Array("hello\n".utf8)
        #expect(try decode([.gzip, .gzip], Samples.gzipOfGzipOfHello) == hello)
        #expect(try decode([.brotli, .gzip], Samples.gzipOfBrotliOfHello) == hello)
        #expect(throws: HTTPClient.Error.malformedResponse("its body is no brotli")) {
            try decode([.gzip, .brotli], Samples.gzipOfBrotliOfHello)
        }
    }

    @Test(arguments: 1..<Samples.gzipOfBrotliOfHello.count)
    func eachPrefixOfSeveralCodingsIsTruncated(count: Int) {
        let part = Array(Samples.gzipOfBrotliOfHello.prefix(count))
        #expect(throws: HTTPClient.Error.truncatedBody) { try decode([.brotli, .gzip], part) }
    }

    @Test func wholeOutsideDoesNotHideATruncatedInside() {
        #expect(throws: HTTPClient.Error.truncatedBody) {
            try decode([.gzip, .brotli], Samples.brotliOfNothing)
        }
    }

    @Test func eachCodingIsHeldToTheLimit() {
        #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 9)) {
            try decode([.brotli, .gzip], Samples.gzipOfBrotliOfHello, limit: 9)
        }
        #expect(throws: Never.self) { try decode([.brotli, .gzip], Samples.gzipOfBrotliOfHello, limit: 10) }
    }
}
