import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UploadTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/up", .respond(status: 201, body: [1]))
    }

    private func send(_ body: HTTPRequest.Body, _ method: String = "POST") async throws -> HTTPOrigin.Request?
    {
        let request = HTTPRequest(method: method, url: origin.url("/up"), body: body)
        #expect(try await client.response(for: request).status == 201)
        return origin.requests("/up").last
    }

    private func pieces(_ pieces: [[UInt8]]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            pieces.forEach { continuation.yield($0) }
            continuation.finish()
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET", "PROPFIND"])
    func bytesAreSentByEveryMethod(method: String) async throws {
        let seen = try await send("ünï", method)
        #expect(seen?.method == method)
        #expect(seen?.body == Array("ünï".utf8))
        #expect(seen?.header("Content-Length") == "5")
        for name in ["Content-Type", "Expect", "Transfer-Encoding"] { #expect(seen?.header(name) == nil) }
    }

    @Test func anEmptyBodyHasALength() async throws {
        #expect(try await send([])?.header("Content-Length") == "0")
        #expect(try await send([], "PUT")?.header("Content-Length") == "0")
    }

    @Test func largeBytesArriveWhole() async throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        #expect(try await send(HTTPRequest.Body(bytes))?.body == bytes)
    }

    @Test func aConnectionIsUsedAgainAfterABody() async throws {
        for size in [0, 1, 100_000, 3] {
            #expect(try await send(HTTPRequest.Body([UInt8](repeating: 1, count: size)))?.bodySize == size)
        }
        #expect(try await client.data(for: origin.url("/up")) == [1])
        #expect(origin.requests("/up").last?.header("Content-Length") == nil)
        #expect(origin.log.acceptedConnections == 1)
    }

    @Test func aStreamWithoutALengthComesInChunks() async throws {
        let seen = try await send(.stream(pieces([[1, 2], [], [3]])))
        #expect(seen?.header("Transfer-Encoding") == "chunked")
        #expect(seen?.header("Content-Length") == nil)
        #expect(seen?.body == [1, 2, 3])
    }

    @Test func aStreamWithALengthSaysIt() async throws {
        let seen = try await send(.stream(pieces([[1, 2], [3]]), length: 3))
        #expect(seen?.header("Content-Length") == "3")
        #expect(seen?.body == [1, 2, 3])
        #expect(try await send(.stream(pieces([]), length: 0))?.bodySize == 0)
        #expect(try await send(.stream(pieces([])))?.bodySize == 0)
    }

    @Test func aStreamOfAnotherLengthIsAnError() async throws {
        let long = HTTPClient.Error.invalidRequest("its body is longer than the length it was given")
        let short = HTTPClient.Error.invalidRequest("its body is shorter than the length it was given")
        await #expect(throws: long) { try await send(.stream(pieces([[1], [2], [3]]), length: 2)) }
        await #expect(throws: short) { try await send(.stream(pieces([[1]]), length: 2)) }
    }

    @Test func aBodyOfOneAnswerCanBeSentInAnotherRequest() async throws {
        let bytes = [UInt8](repeating: 9, count: 3_000_000)
        origin.on("/down", .respond(body: bytes))
        let source = try await client.response(for: HTTPRequest(url: origin.url("/down")))
        #expect(try await send(.stream(source.body))?.body == bytes)
    }

    @Test func aStreamIsSentOnce() async throws {
        let body = HTTPRequest.Body.stream(pieces([[1]]))
        _ = try await send(body)
        let error = HTTPClient.Error.invalidRequest("its body is a stream, which was sent before")
        await #expect(throws: error) { try await send(body) }
    }

    @Test func whatTheStreamThrowsEndsTheRequest() async throws {
        struct Broken: Error {}
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([1])
            continuation.finish(throwing: Broken())
        }
        await #expect(throws: HTTPClient.Error.bodyFailed(reason: "Broken()")) {
            try await send(.stream(stream))
        }
    }

    @Test func aStreamIsNotBegunWithoutAConnection() async throws {
        let hasBegun = Flag()
        let stream = AsyncStream<[UInt8]>(unfolding: {
            hasBegun.raise()
            return nil
        })
        let port = try SilentPort.refusing()
        let request = HTTPRequest(method: "POST", url: port.url, body: .stream(stream))
        await #expect(throws: HTTPClient.Error.refused(host: "127.0.0.1:\(port.port)")) {
            try await client.response(for: request)
        }
        #expect(!hasBegun.isRaised)
    }

    @Test(arguments: ["HEAD", "TRACE"])
    func methodsWithoutABodyRefuseOne(method: String) async throws {
        await #expect(throws: HTTPClient.Error.invalidRequest("\(method) is sent without a body")) {
            try await send("a", method)
        }
    }

    @Test func expectIsRefused() async throws {
        var request = HTTPRequest(method: "PUT", url: origin.url("/up"), body: "abc")
        request.headerFields["Expect"] = "100-continue"
        await #expect(throws: HTTPClient.Error.invalidRequest("Expect is not sent by this client")) {
            try await client.response(for: request)
        }
    }

    /// Whether it comes before the stream has nothing to send, or after.
    @Test(arguments: [0, 50])
    func anAnswerThatComesBeforeTheBodyCounts(milliseconds: Int) async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/early", .early(.gated(gate, .respond(status: 413, body: [4]))))
        let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
        source.yield([1])
        let request = HTTPRequest(method: "POST", url: origin.url("/early"), body: .stream(stream))
        let task = Task { try await client.response(for: request) }
        await origin.until { $0.requestCounts["/early"] == 1 }
        try await Task.sleep(for: .milliseconds(milliseconds))
        gate.open()
        let response = try await task.value
        #expect(response.status == 413)
        #expect(try await response.body.collect() == [4])
        source.finish()
    }
}
