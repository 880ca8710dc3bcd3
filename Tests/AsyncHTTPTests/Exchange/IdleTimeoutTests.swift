import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct IdleTimeoutTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()
    private let limit = Duration.milliseconds(100)

    init() throws {
        origin = try HTTPOrigin()
    }

    /// A limit that a server on a busy machine keeps.
    private let wideLimit = Duration.seconds(1)

    private func request(
        _ path: String,
        _ body: HTTPRequest.Body? = nil,
        limit: Duration? = nil
    ) -> HTTPRequest {
        var request = HTTPRequest(method: body == nil ? "GET" : "POST", url: origin.url(path), body: body)
        request.idleTimeout = limit ?? self.limit
        return request
    }

    @Test func aServerThatSaysNothingIsGivenUp() async throws {
        origin.on("/stalled", .stalled)
        await #expect(throws: HTTPClient.Error.timedOut(.idle, after: limit)) {
            try await client.data(for: request("/stalled"))
        }
        await origin.until { $0.abandoned["/stalled"] == 1 }
    }

    @Test func aBodyThatStopsIsGivenUp() async throws {
        origin.on("/body", .stalledBody(length: 10, sent: [1, 2]))
        let response = try await client.response(for: request("/body"))
        await #expect(throws: HTTPClient.Error.timedOut(.idle, after: limit)) {
            try await response.body.collect()
        }
    }

    @Test func aServerThatStopsReadingIsGivenUp() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/later", .readingLater(gate, .respond()))
        let body = HTTPRequest.Body([UInt8](repeating: 1, count: 64 << 20))
        await #expect(throws: HTTPClient.Error.timedOut(.idle, after: limit)) {
            try await client.response(for: request("/later", body))
        }
    }

    /// It takes longer than the limit as a whole, and never as long without a byte.
    @Test func aSlowServerIsWaitedFor() async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 2500\r\n\r\n"
        origin.on("/slow", .pieces([Array(text.utf8)] + [[UInt8]](repeating: [1], count: 2500)))
        let start = ContinuousClock.now
        #expect(try await client.data(for: request("/slow", limit: wideLimit)).count == 2500)
        #expect(start.duration(to: .now) > wideLimit)
    }

    @Test func aSlowReaderIsNoIdleServer() async throws {
        let size = 32 << 20
        origin.on("/big", .respond(body: [UInt8](repeating: 1, count: size)))
        let response = try await client.response(for: request("/big", limit: wideLimit))
        var iterator = response.body.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        try await Task.sleep(for: wideLimit * 2)
        while let chunk = try await iterator.next() { count += chunk.count }
        #expect(count == size)
    }

    @Test func aStreamThatComesSlowlyIsNoIdleServer() async throws {
        origin.on("/up", .respond(status: 201))
        let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
        source.yield([1])
        let task = Task { [request = request("/up", .stream(stream), limit: wideLimit)] in
            try await client.response(for: request)
        }
        try await Task.sleep(for: wideLimit * 2)
        source.yield([2])
        source.finish()
        #expect(try await task.value.status == 201)
        #expect(origin.requests("/up").first?.body == [1, 2])
    }

    @Test func theConnectionHasALimitOfItsOwn() async throws {
        let silent = try SilentPort.ignoring()
        var request = HTTPRequest(url: silent.url)
        request.idleTimeout = .milliseconds(10)
        request.connectTimeout = limit
        await #expect(throws: HTTPClient.Error.timedOut(.connect, after: limit)) {
            try await client.data(for: request)
        }
    }
}
