import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct GzipTests {
    private let hello = Array("hello\n".utf8)

    @Test func oneMemberAndSeveralAreDecoded() throws {
        #expect(try Gzip.decode(Samples.gzipOfHello, limit: 6) == hello)
        #expect(try Gzip.decode(Samples.gzipOfHello + Samples.gzipOfHello, limit: 100) == hello + hello)
    }

    @Test(arguments: 0..<Samples.gzipOfHello.count)
    func eachPrefixIsTruncated(count: Int) {
        let part = Array(Samples.gzipOfHello.prefix(count))
        #expect(throws: HTTPClient.Error.truncatedBody) { try Gzip.decode(part, limit: 100) }
        if count == 0 { return }
        #expect(throws: HTTPClient.Error.truncatedBody) {
            try Gzip.decode(Samples.gzipOfHello + part, limit: 100)
        }
    }

    @Test(arguments: 0..<Samples.gzipOfHello.count)
    func eachFlippedByteIsNoticedOrHarmless(place: Int) {
        var broken = Samples.gzipOfHello
        broken[place] ^= 0x55
        let decoded = try? Gzip.decode(broken, limit: 100)
        #expect(decoded == nil || decoded == hello)
    }

    @Test func whatFollowsTheLastMemberIsRefused() {
        #expect(throws: HTTPClient.Error.malformedResponse("its body is no gzip")) {
            try Gzip.decode(Samples.gzipOfHello + Array("garbage".utf8), limit: 100)
        }
    }

    @Test func theLimitCountsDecodedBytes() {
        #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 5)) {
            try Gzip.decode(Samples.gzipOfHello, limit: 5)
        }
        #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 1 << 20)) {
            try Gzip.decode(Samples.gzipOfZeros(atLeast: 8 << 20), limit: 1 << 20)
        }
    }

    @Test func moreThanOneBufferFullIsDecoded() throws {
        let coded = (0..<30_000).flatMap { _ in Samples.gzipOfHello }
        let decoded = try Gzip.decode(coded, limit: 1 << 20)
        #expect(decoded == (0..<30_000).flatMap { _ in hello })
    }
}
