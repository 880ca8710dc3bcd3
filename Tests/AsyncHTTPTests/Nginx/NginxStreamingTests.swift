import AsyncHTTP
import Support
import Testing

/// Bodies over TLS that are read slowly or not to their end; each has an nginx of its own, to count its connections.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxServer.isAvailable, "\(NginxServer.requirement)"))
struct NginxStreamingTests {
    private static let size = 80 << 20

    @Test(arguments: [NginxServer.Entrance.https, .http2])
    func slowReaderHoldsNginxBack(entrance: NginxServer.Entrance) async throws {
        let server = try Self.server()
        let worker = try await server.worker()
        let response = try await Self.response(server, via: entrance)
        var iterator = response.body.makeAsyncIterator()
        var count = try #require(try await iterator.next()).count
        // Ten times as long as all of it takes to whom nothing holds back.
        try await Task.sleep(for: .seconds(1))
        // What comes after the server's death had left it before.
        NginxServer.kill(worker: worker)
        await #expect(throws: HTTPClient.Error.truncatedBody) {
            while let chunk = try await iterator.next() { count += chunk.count }
        }
        #expect(count < 16 << 20)
    }

    /// In a process of its own, because others take memory too.
    @Test func slowReaderTakesLittleMemory() async {
        await #expect(processExitsWith: .success) {
            let server = try Self.server()
            let client = server.client()
            try server.put([1], at: "small.bin")
            for _ in 0..<10 { _ = try await client.data(for: server.url("/small.bin")) }
            let before = ResourceUse.now.residentBytes
            var (count, largest, pieces) = (0, 0, 0)
            for try await chunk in try await Self.response(server, via: .https, client).body {
                count += chunk.count
                pieces += 1
                if pieces.isMultiple(of: 16) {
                    try await Task.sleep(for: .milliseconds(1))
                    largest = max(largest, ResourceUse.now.residentBytes - before)
                }
            }
            #expect(count == Self.size)
            #expect(largest < 8 << 20 || ResourceUse.isSanitized)
        }
    }

    @Test func cancelledReadersCloseTheirConnections() async throws {
        let server = try Self.server()
        let observer = HTTPClient()
        let client = server.client()
        var readers: [Task<Void, any Error>] = []
        for _ in 0..<4 {
            let body = try await Self.response(server, via: .https, client).body
            readers.append(Task { for try await _ in body { try await Task.sleep(for: .seconds(60)) } })
        }
        // One is the observer's own.
        try await observer.expect(connections: 5, of: server)
        for reader in readers { reader.cancel() }
        try await observer.expect(connections: 1, of: server)
        for reader in readers { await #expect(throws: (any Error).self) { try await reader.value } }
    }

    private static func server() throws -> NginxServer {
        let server = try NginxServer()
        try server.put([UInt8](repeating: 7, count: size), at: "big.bin")
        return server
    }

    private static func response(
        _ server: NginxServer,
        via entrance: NginxServer.Entrance,
        _ client: HTTPClient? = nil
    ) async throws -> HTTPResponse {
        let url = server.url("/big.bin", via: entrance)
        let request = HTTPRequest(url: url, maximumBodySize: size)
        return try await (client ?? server.client()).response(for: request)
    }
}

extension HTTPClient {
    /// Waits until the server has so many connections, this client's own included (ngx_http_stub_status_module).
    fileprivate nonisolated func expect(connections: Int, of server: NginxServer) async throws {
        let end = ContinuousClock.now + .seconds(20)
        var line: Substring = ""
        repeat {
            let status = try await data(for: server.url("/status", via: .http))
            line = String(decoding: status, as: UTF8.self).prefix { $0 != "\n" }
        } while line != "Active connections: \(connections) " && ContinuousClock.now < end
        #expect(line == "Active connections: \(connections) ")
    }
}
