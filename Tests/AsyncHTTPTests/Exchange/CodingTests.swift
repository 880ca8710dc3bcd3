import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CodingTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
    }

    /// Answers a request with a coded body.
    private func response(
        _ coding: String,
        _ body: [UInt8],
        headerFields: HTTPFields = [:]
    ) async throws -> HTTPResponse {
        origin.on("/z", .respond(headers: [("Content-Encoding", coding), ("ETag", "1")], body: body))
        let request = HTTPRequest(url: origin.url("/z"), headerFields: headerFields, maximumBodySize: 200_000)
        return try await client.response(for: request)
    }

    @Test func brotliIsDecodedAndItsFieldsDropped() async throws {
        let response = try await response("br", Samples.brotliOfBottles)
        #expect(try await response.body.collect() == Samples.bottles)
        #expect(response.headerFields == ["ETag": "1"])
    }

    @Test func aRequestThatNamesItsCodingsGetsTheBodyAsItCame() async throws {
        let response = try await response(
            "br",
            Samples.brotliOfBottles,
            headerFields: ["Accept-Encoding": "br"]
        )
        #expect(try await response.body.collect() == Samples.brotliOfBottles)
        #expect(response.headerFields["Content-Encoding"] == "br")
        #expect(response.headerFields["Content-Length"] == "\(Samples.brotliOfBottles.count)")
        #expect(origin.requests("/z")[0].header("accept-encoding") == "br")
    }

    @Test func twoCodingsAreTakenOff() async throws {
        let response = try await response("br, gzip", Samples.gzipOfBrotliOfHello)
        #expect(try await response.body.collect() == Array("hello\n".utf8))
        #expect(response.headerFields == ["ETag": "1"])
    }

    @Test func aCodingThatIsNotKnownLeavesAllAsTheyCame() async throws {
        let response = try await response("zstd, gzip", Samples.gzipOfHello)
        #expect(try await response.body.collect() == Samples.gzipOfHello)
        #expect(response.headerFields["Content-Encoding"] == "zstd, gzip")
    }

    @Test(arguments: ["gzip", "br", "br, gzip"])
    func aCodedBodyThatIsNotThereIsEmpty(coding: String) async throws {
        #expect(try await response(coding, []).body.collect().isEmpty)
        origin.on("/204", .respond(status: 204, headers: [("Content-Encoding", coding)]))
        #expect(try await client.data(for: origin.url("/204")).isEmpty)
    }

    @Test func brotliThatEndsEarlyIsTruncated() async throws {
        let response = try await response("br", Samples.brotliOfBottles.dropLast())
        await #expect(throws: HTTPClient.Error.truncatedBody) { try await response.body.collect() }
    }

    @Test func bytesAfterBrotliAreMalformed() async throws {
        let response = try await response("br", Samples.brotliOfBottles + [0])
        await #expect(throws: HTTPClient.Error.malformedResponse("its body is no brotli")) {
            try await response.body.collect()
        }
    }

    @Test func aBrotliBombIsCutAtItsDecodedSize() async throws {
        let response = try await response("br", Samples.brotliOfAGibibyte)
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 200_000)) {
            try await response.body.collect()
        }
    }
}
