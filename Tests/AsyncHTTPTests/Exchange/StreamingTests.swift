import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StreamingTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
    }

    private func response(_ path: String) async throws -> HTTPResponse {
        try await client.response(for: HTTPRequest(url: origin.url(path)))
    }

    @Test func headerComesBeforeTheBodyIsThere() async throws {
        origin.on("/a", .stalledBody(length: 100, sent: [1, 2, 3]))
        let response = try await response("/a")
        #expect(response.status == 200)
        #expect(response.headerFields["Content-Length"] == "100")
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == [1, 2, 3])
    }

    @Test func largeBodyArrivesInPiecesAndInOrder() async throws {
        let body = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        origin.on("/a", .respond(body: body))
        var bytes: [UInt8] = []
        var pieces = 0
        for try await chunk in try await response("/a").body {
            #expect(!chunk.isEmpty)
            bytes += chunk
            pieces += 1
        }
        #expect(bytes == body)
        #expect(pieces > 1)
    }

    @Test func slowReaderHoldsTheServerBack() async throws {
        origin.on("/a", .endlessBody)
        let response = try await response("/a")
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        // The server is held back when what it could send does not grow any more.
        var poured = -1
        while poured != origin.log.poured {
            poured = origin.log.poured
            try await Task.sleep(for: .milliseconds(100))
        }
        // What is held is half a MiB here and what the kernel's socket buffers take.
        #expect(poured < 16 << 20)
        var read = 0
        while read < 32 << 20, let chunk = try await iterator.next() { read += chunk.count }
        #expect(origin.log.poured > poured)
    }

    @Test func leavingTheLoopEndsTheTransfer() async throws {
        origin.on("/a", .endlessBody)
        try await readOnePiece("/a")
        await origin.until { $0.abandoned["/a"] == 1 }
    }

    /// A function of its own, so that the response is released when it returns.
    private func readOnePiece(_ path: String) async throws {
        for try await _ in try await response(path).body { break }
    }

    @Test func responseThatIsDroppedUnreadEndsItsTransfer() async throws {
        origin.on("/a", .endlessBody)
        for _ in 0..<20 { _ = try await response("/a").status }
        await origin.until { $0.abandoned["/a"] == 20 }
    }

    @Test func readerThatIsCancelledLeavesAtOnceAndEndsTheTransfer() async throws {
        origin.on("/a", .stalledBody(length: 100, sent: [1]))
        let hasRead = State(false)
        let task = Task { [self] in
            for try await _ in try await response("/a").body { hasRead.set(true) }
        }
        for await isReading in hasRead where isReading { break }
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        await origin.until { $0.abandoned["/a"] == 1 }
    }

    @Test func readerThatIsCancelledWhileTheTransferIsHeldBackEndsItToo() async throws {
        origin.on("/a", .endlessBody)
        let task = Task { [self] in
            let response = try await response("/a")
            try await Task.sleep(for: .seconds(60))
            _ = response.status
        }
        await origin.until { $0.poured > 1 << 20 }
        task.cancel()
        _ = await task.result
        await origin.until { $0.abandoned["/a"] == 1 }
    }

    @Test func shortBodyIsAnErrorAfterItsPieces() async throws {
        origin.on("/a", .shortBody(length: 100, sent: [1]))
        var iterator = try await response("/a").body.makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPClient.Error.self) { _ = try await iterator.next() }
            #expect(error == .truncatedBody)
        }
    }

    @Test func collectingTooMuchIsAnErrorAndEndsTheTransfer() async throws {
        origin.on("/a", .endlessBody)
        try await collectTooMuch()
        await origin.until { $0.abandoned["/a"] == 1 }
    }

    private func collectTooMuch() async throws {
        let response = try await response("/a")
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 100_000)) {
            try await response.body.collect(upTo: 100_000)
        }
    }

    @Test func promisedLengthBeyondTheLimitIsRefusedBeforeTheBody() async throws {
        origin.on("/a", .stalledBody(length: 1000, sent: []))
        let request = HTTPRequest(url: origin.url("/a"), maximumBodySize: 999)
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 999)) {
            try await client.response(for: request)
        }
        await origin.until { $0.abandoned["/a"] == 1 }
    }

    @Test func deadlineCountsForTheBodyToo() async throws {
        origin.on("/a", .stalledBody(length: 100, sent: [1]))
        let request = HTTPRequest(url: origin.url("/a"), timeout: .milliseconds(200))
        let response = try await client.response(for: request)
        await #expect(throws: HTTPClient.Error.timedOut(.total, after: .milliseconds(200))) {
            try await response.body.collect()
        }
    }

    @Test func bodyKeepsItsClientInUse() async throws {
        origin.on("/a", .respond(body: [UInt8](repeating: 1, count: 4 << 20)))
        #expect(try await bodyOfAClientThatIsGone().collect().count == 4 << 20)
    }

    private func bodyOfAClientThatIsGone() async throws -> HTTPBody {
        try await HTTPClient().response(for: HTTPRequest(url: origin.url("/a"))).body
    }

    @Test func closingTheClientEndsABodyUnderWay() async throws {
        origin.on("/a", .stalledBody(length: 100, sent: []))
        let response = try await response("/a")
        await client.close()
        await #expect(throws: HTTPClient.Error.closed) { try await response.body.collect() }
    }

    @Test func connectionIsUsedAgainAfterABodyThatWasReadToItsEnd() async throws {
        origin.on("/a", .respond(body: [UInt8](repeating: 1, count: 1 << 20)))
        for _ in 0..<10 { #expect(try await response("/a").body.collect().count == 1 << 20) }
        #expect(origin.log.acceptedConnections == 1)
    }

    @Test func wellPackedBodyIsReadInSmallPieces() async throws {
        let packed = Samples.gzipOfZeros(atLeast: 32 << 20)
        origin.on("/a", .respond(headers: [("Content-Encoding", "gzip")], body: packed))
        var (largest, count) = (0, 0)
        var iterator = try await response("/a").body.makeAsyncIterator()
        while count < 32 << 20, let chunk = try await iterator.next() {
            largest = max(largest, chunk.count)
            count += chunk.count
        }
        #expect(largest <= 1 << 16)
        #expect(count >= 32 << 20)
    }
}
