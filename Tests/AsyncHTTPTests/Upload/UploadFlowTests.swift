import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

/// Back-pressure, cancellation and dead connections while a body is sent.
@Suite(.timeLimit(.minutes(2)))
struct UploadFlowTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
    }

    /// Pieces of 64 KiB without end, or up to a number of them, and how many were taken.
    private struct Source: AsyncSequence, Sendable {
        let taken = Lock(0)
        var count = Int.max
        let wasCancelled = Flag()

        struct Iterator: AsyncIteratorProtocol {
            let source: Source
            var left: Int

            mutating func next() async -> [UInt8]? {
                if Task.isCancelled { source.wasCancelled.raise() }
                guard left > 0, !Task.isCancelled else { return nil }
                left -= 1
                source.taken.withLock { $0 += 1 }
                return [UInt8](repeating: 1, count: 1 << 16)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(source: self, left: count) }

        var takenCount: Int { taken.withLock { $0 } }
    }

    private func start(_ source: Source, _ path: String) -> Task<HTTPResponse, any Error> {
        let request = HTTPRequest(method: "POST", url: origin.url(path), body: .stream(source))
        return Task { try await client.response(for: request) }
    }

    /// Waits until no more pieces are taken.
    private func waitUntilHeld(_ source: Source) async throws -> Int {
        var taken = -1
        while taken != source.takenCount || taken == 0 {
            taken = source.takenCount
            try await Task.sleep(for: .milliseconds(100))
        }
        return taken
    }

    @Test func aServerThatDoesNotReadHoldsTheStreamBack() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/later", .readingLater(gate, .respond(status: 201)))
        let source = Source(count: 512)
        let task = start(source, "/later")
        let taken = try await waitUntilHeld(source)
        // What the kernel's socket buffers take, and 256 KiB.
        #expect(taken < 256)
        gate.open()
        #expect(try await task.value.status == 201)
        #expect(origin.requests("/later").first?.bodySize == 512 << 16)
    }

    /// What the kernel had taken before still goes out.
    ///
    /// A process of its own, because others take processors too; the fastest of several counts.
    @Test func cancellingClosesTheConnectionWithinTenMilliseconds() async {
        await #expect(processExitsWith: .success) {
            let flow = try UploadFlowTests()
            var fastest = Duration.seconds(60)
            for round in 1...1000 where fastest > .milliseconds(10) {
                fastest = min(fastest, try await flow.timeToCancel(round))
            }
            #expect(fastest < .milliseconds(10))
        }
    }

    private func timeToCancel(_ round: Int) async throws -> Duration {
        let gate = try HTTPOrigin.Gate()
        origin.on("/later", .readingLater(gate, .respond()))
        let task = start(Source(), "/later")
        await origin.until { $0.requestCounts["/later"] == round }
        #expect(Kernel.hasConnection(to: origin.port))
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        while Kernel.hasConnection(to: origin.port) { await Task.yield() }
        defer { gate.open() }
        return start.duration(to: .now)
    }

    @Test func aStreamThatWaitsIsCancelledWithItsRequest() async throws {
        let wasCancelled = Flag()
        let hasBegun = Flag()
        let stream = AsyncStream<[UInt8]>(
            unfolding: {
                hasBegun.raise()
                try? await Task.sleep(for: .seconds(3600))
                return nil
            },
            onCancel: { wasCancelled.raise() }
        )
        origin.on("/up", .respond())
        let request = HTTPRequest(method: "POST", url: origin.url("/up"), body: .stream(stream))
        let task = Task { try await client.response(for: request) }
        await hasBegun.wait()
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        await wasCancelled.wait()
    }

    @Test func closingTheClientEndsAnUpload() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/later", .readingLater(gate, .respond()))
        let task = start(Source(), "/later")
        await origin.until { $0.requestCounts["/later"] == 1 }
        await client.close()
        await #expect(throws: HTTPClient.Error.closed) { try await task.value }
        gate.open()
        await origin.until { $0.abandoned["/later"] == 1 }
    }

    @Test func theAnswerMayComeWhileTheBodyIsStillSent() async throws {
        let gate = try HTTPOrigin.Gate()
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".utf8)
        origin.on("/both", .early(.gated(gate, .pieces([head, [1, 2]]))))
        let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
        source.yield([7])
        let request = HTTPRequest(method: "POST", url: origin.url("/both"), body: .stream(stream))
        let task = Task { try await client.response(for: request) }
        await origin.until { $0.requestCounts["/both"] == 1 }
        gate.open()
        let response = try await task.value
        #expect(response.status == 200)
        source.finish()
        #expect(try await response.body.collect() == [1, 2])
    }
}

/// What happens when a connection that was kept turns out to be dead once the body is under way.
@Suite(.timeLimit(.minutes(1)))
struct UploadRetryTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/warm", .respond())
        let hasHungUp = Lock(false)
        origin.on(
            "/up",
            .computed { _ in
                hasHungUp.withLock { hasHungUp in
                    defer { hasHungUp = true }
                    return hasHungUp ? .respond(status: 201) : .hangUp
                }
            }
        )
    }

    private func send(_ body: HTTPRequest.Body) async throws -> Int {
        _ = try await client.data(for: origin.url("/warm"))
        let request = HTTPRequest(method: "PUT", url: origin.url("/up"), body: body)
        return try await client.response(for: request).status
    }

    @Test func bytesAreSentOverANewOne() async throws {
        #expect(try await send("body") == 201)
        #expect(origin.requests("/up").map(\.body) == [Array("body".utf8), Array("body".utf8)])
    }

    @Test func aSmallStreamIsSentOverANewOne() async throws {
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2])
            continuation.yield([3])
            continuation.finish()
        }
        #expect(try await send(.stream(stream)) == 201)
        #expect(origin.requests("/up").map(\.body) == [[1, 2, 3], [1, 2, 3]])
    }

    @Test func aLargeStreamIsLostWithIt() async throws {
        let piece = [UInt8](repeating: 1, count: 1 << 16)
        let stream = AsyncStream<[UInt8]> { continuation in
            for _ in 0..<16 { continuation.yield(piece) }
            continuation.finish()
        }
        await #expect(throws: HTTPClient.Error.connectionLost(host: "127.0.0.1:\(origin.port)")) {
            try await send(.stream(stream))
        }
    }
}
