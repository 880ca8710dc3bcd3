import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    private let origin: HTTPOrigin

    init() throws {
        origin = try HTTPOrigin()
    }

    private func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    @Test func aBodyOfExactlyTheLimitPassesAndOneByteMoreFails() async throws {
        let client = client { $0.maximumBodySize = 100_000 }
        origin.on("/fits", .respond(body: [UInt8](repeating: 1, count: 100_000)))
        origin.on("/over", .respond(body: [UInt8](repeating: 1, count: 100_001)))
        #expect(try await client.data(for: origin.url("/fits")).count == 100_000)
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 100_000)) {
            try await client.data(for: origin.url("/over"))
        }
        let request = HTTPRequest(url: origin.url("/over"), maximumBodySize: 100_001)
        #expect(try await client.data(for: request).count == 100_001)
    }

    @Test func anEndlessBodyIsCutAndItsConnectionClosed() async throws {
        origin.on("/endless", .endlessBody)
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 1 << 20)) {
            try await client { $0.maximumBodySize = 1 << 20 }.data(for: origin.url("/endless"))
        }
        await origin.until { $0.abandoned["/endless"] == 1 }
    }

    @Test func endlessHeadersAreCut() async throws {
        origin.on("/bomb", .headerBomb)
        await #expect(throws: HTTPClient.Error.tooLarge(.header, limit: 64 * 1024)) {
            try await client().data(for: origin.url("/bomb"))
        }
        await origin.until { $0.abandoned["/bomb"] == 1 }
    }

    @Test func aHeaderLineWithoutEndIsCut() async throws {
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        origin.on("/line", .raw(Array("HTTP/1.1 200 OK\r\nX: ".utf8) + line))
        await #expect(throws: HTTPClient.Error.tooLarge(.header, limit: 64 * 1024)) {
            try await client().data(for: origin.url("/line"))
        }
    }

    @Test func trailersAndInterimAnswersCountAsHeader() async throws {
        let lines = String(repeating: "X-Line: 0123456789\r\n", count: 100)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\(lines)\r\n"
        origin.on("/trailers", .raw(Array(chunked.utf8)))
        let interim = String(repeating: "HTTP/1.1 103 Hints\r\nX: y\r\n\r\n", count: 100)
        origin.on("/interim", .raw(Array("\(interim)HTTP/1.1 200 OK\r\n\r\n".utf8)))
        let client = client { $0.maximumHeaderSize = 1000 }
        for path in ["/trailers", "/interim"] {
            await #expect(throws: HTTPClient.Error.tooLarge(.header, limit: 1000)) {
                try await client.data(for: origin.url(path))
            }
        }
    }

    @Test func theWholeRequestHasATimeLimit() async throws {
        origin.on("/stalled", .stalled)
        origin.on("/body", .stalledBody(length: 10, sent: [1]))
        for path in ["/stalled", "/body"] {
            let limit = Duration.milliseconds(100)
            let time = await ContinuousClock().measure {
                await #expect(throws: HTTPClient.Error.timedOut(.total, after: limit)) {
                    try await client().data(for: HTTPRequest(url: origin.url(path), timeout: limit))
                }
            }
            #expect(time >= limit)
            await origin.until { $0.abandoned[path] == 1 }
        }
    }

    @Test func waitingForAConnectionCountsAsTime() async throws {
        let client = client { $0.maximumConnections = 1 }
        origin.on("/stalled", .stalled)
        let hog = Task { [origin] in try await client.data(for: origin.url("/stalled")) }
        await origin.until { $0.requestCounts["/stalled"] == 1 }
        let limit = Duration.milliseconds(50)
        await #expect(throws: HTTPClient.Error.timedOut(.total, after: limit)) {
            try await client.response(for: HTTPRequest(url: origin.url("/later"), timeout: limit))
        }
        #expect(origin.requestCount("/later") == 0)
        hog.cancel()
        _ = await hog.result
    }

    @Test func connectingHasATimeLimit() async throws {
        let silent = try SilentPort.ignoring()
        let client = client { $0.connectTimeout = .milliseconds(150) }
        await #expect(throws: HTTPClient.Error.timedOut(.connect, after: .milliseconds(150))) {
            try await client.data(for: silent.url)
        }
    }

    @Test func moreRequestsThanTheLimitAreRefused() async throws {
        let client = client { configuration in
            configuration.maximumConnections = 1
            configuration.maximumRequests = 2
        }
        let gate = try HTTPOrigin.Gate()
        origin.on("/gated", .gated(gate, .respond(body: [1])))
        await withTaskGroup(of: Result<[UInt8], any Error>.self) { group in
            for _ in 0..<10 {
                let task = Task { [origin] in try await client.data(for: origin.url("/gated")) }
                group.addTask { await task.result }
            }
            // One runs, one waits; the others don't outlive the closed gate.
            for _ in 0..<8 {
                let result = await group.next()
                #expect(throws: HTTPClient.Error.overloaded(limit: 2)) { try result?.get() }
            }
            gate.open()
            for await result in group { #expect(throws: Never.self) { try result.get() } }
        }
    }

    @Test func gzipIsDecodedAndItsFieldsDropped() async throws {
        let fields = [("Content-Encoding", "gzip"), ("ETag", "1")]
        origin.on("/z", .respond(headers: fields, body: Samples.gzipOfHello))
        let response = try await client().response(for: HTTPRequest(url: origin.url("/z")))
        #expect(try await response.body.collect() == Array("hello\n".utf8))
        #expect(response.headerFields == ["ETag": "1"])
        let request = HTTPRequest(url: origin.url("/z"), headerFields: ["Accept-Encoding": "gzip"])
        let coded = try await client().response(for: request)
        #expect(try await coded.body.collect() == Samples.gzipOfHello)
        #expect(coded.headerFields["Content-Encoding"] == "gzip")
    }

    @Test func aGzipBombIsCutAtItsDecodedSize() async throws {
        let bomb = Samples.gzipOfZeros(atLeast: 16 << 20)
        origin.on("/bomb", .respond(headers: [("Content-Encoding", "gzip")], body: bomb))
        #expect(bomb.count < 150_000)
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 200_000)) {
            try await client { $0.maximumBodySize = 200_000 }.data(for: origin.url("/bomb"))
        }
    }

    @Test func limitsBelowTheirSmallestValueCountAsThatValue() async throws {
        let client = client { configuration in
            configuration.maximumConnections = -5
            configuration.maximumConnectionsPerHost = 0
            configuration.maximumRequests = -1
            configuration.maximumRedirects = -1
            configuration.connectTimeout = .seconds(Int64.max)
        }
        origin.on("/a", .respond(body: [1]))
        #expect(try await client.data(for: origin.url("/a")) == [1])
        let request = HTTPRequest(url: origin.url("/a"), timeout: .seconds(-1))
        await #expect(throws: HTTPClient.Error.timedOut(.total, after: .seconds(-1))) {
            try await client.response(for: request)
        }
    }

    /// libcurl hands over what it kept for a reader that was slow within a call that nobody else hears of.
    @Test func aLimitThatIsPassedByWhatWasHeldBackIsToldAtOnce() async throws {
        let (size, limit) = (600 << 10, 590 << 10)
        let chunk = Array("\(String(size, radix: 16))\r\n".utf8) + [UInt8](repeating: 1, count: size)
        let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        origin.on("/held", .pieces([head, chunk]))
        let request = HTTPRequest(url: origin.url("/held"), timeout: .seconds(50), maximumBodySize: limit)
        let body = try await client().response(for: request).body
        try await Task.sleep(for: .milliseconds(200))
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: limit)) { try await body.collect() }
    }
}
