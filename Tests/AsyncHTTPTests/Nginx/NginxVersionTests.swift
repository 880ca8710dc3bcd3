import AsyncHTTP
import Support
import Testing

/// HTTP/2, which nginx offers at one of its ports.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxServer.isAvailable, "\(NginxServer.requirement)"))
struct NginxVersionTests {
    private let server: NginxServer
    private let small = RangedFile.sample(1000)

    init() throws {
        server = try NginxServer.shared.get()
        try server.put(small, at: "version.bin")
    }

    private func response(
        via entrance: NginxServer.Entrance,
        _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        try await server.client(change).response(
            for: HTTPRequest(url: server.url("/version.bin", via: entrance))
        )
    }

    @Test(arguments: [
        (NginxServer.Entrance.http, HTTPVersion.http11), (.https, .http11), (.http2, .http2),
    ])
    func theVersionIsTheBestThatIsOffered(entrance: NginxServer.Entrance, version: HTTPVersion) async throws {
        let response = try await response(via: entrance)
        #expect(response.version == version)
        #expect(response.headerFields["X-Protocol"] == (version == .http2 ? "HTTP/2.0" : "HTTP/1.1"))
        #expect(try await response.body.collect() == small)
    }

    @Test func http2CanBeLeftOut() async throws {
        #expect(try await response(via: .http2) { $0.allowsHTTP2 = false }.version == .http11)
    }

    /// Asks for as many at once, and returns on how many connections they came.
    private func connections(_ count: Int, of client: HTTPClient, rate: String = "") async throws -> Int {
        let url = server.url("\(rate)/version.bin", via: .http2)
        return try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let response = try await client.response(for: HTTPRequest(url: url))
                    #expect(try await response.body.collect().count == 1000)
                    return response.headerFields["X-Connection"] ?? ""
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }.count
        }
    }

    @Test func requestsShareAConnectionWhereThatIsAsked() async throws {
        let client = server.client { $0.sharesHTTP2Connections = true }
        #expect(try await connections(16, of: client) == 1)
        let apart = server.client()
        #expect(try await connections(16, of: apart) > 1)
    }

    @Test func aSlowReaderHoldsNobodyElseUp() async throws {
        let size = 16 << 20
        try server.put([UInt8](repeating: 1, count: size), at: "version-big.bin")
        for shares in [false, true] {
            let client = server.client { $0.sharesHTTP2Connections = shares }
            let request = HTTPRequest(url: server.url("/version-big.bin", via: .http2))
            let slow = try await client.response(for: request)
            var iterator = slow.body.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            for _ in 0..<10 { #expect(try await client.data(for: request).count == size) }
            while let chunk = try await iterator.next() { count += chunk.count }
            #expect(count == size)
        }
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func bodiesAreUploaded(entrance: NginxServer.Entrance) async throws {
        let bytes = RangedFile.sample(3_000_000)
        let stream = AsyncStream<[UInt8]> { continuation in
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                continuation.yield(Array(bytes[start..<min(bytes.count, start + 100_000)]))
            }
            continuation.finish()
        }
        let client = server.client()
        for (number, body) in [HTTPRequest.Body(bytes), .stream(stream), "", "tiny"].enumerated() {
            let url = server.url("/uploads/\(entrance)-\(number).bin", via: entrance)
            let response = try await client.response(for: HTTPRequest(method: "PUT", url: url, body: body))
            #expect([201, 204].contains(response.status))
            let expected = [bytes, bytes, [], Array("tiny".utf8)][number]
            #expect(try await client.data(for: url) == expected)
        }
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func cancellingAnUploadLeavesTheClientUsable(entrance: NginxServer.Entrance) async throws {
        let client = server.client()
        for round in 0..<20 {
            let (stream, source) = AsyncStream.makeStream(of: [UInt8].self)
            source.yield([UInt8](repeating: 1, count: 100_000))
            let url = server.url("/uploads/cancelled.bin", via: entrance)
            let task = Task {
                try await client.response(for: HTTPRequest(method: "PUT", url: url, body: .stream(stream)))
            }
            for _ in 0..<round * 10 { await Task.yield() }
            task.cancel()
            await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        }
        #expect(try await client.data(for: server.url("/version.bin", via: entrance)) == small)
    }
}
