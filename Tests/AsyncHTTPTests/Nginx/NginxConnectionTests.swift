import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxServer.isAvailable, "\(NginxServer.requirement)"))
struct NginxConnectionTests {
    private static let body = RangedFile.sample(1000)

    private let server: NginxServer

    init() throws {
        server = try NginxServer.shared.get()
        try server.put(Self.body, at: "connection.bin")
    }

    /// Asks for the file so many times, one after the other, and returns the numbers of the connections.
    private func connections(
        _ count: Int,
        _ path: String,
        via entrance: NginxServer.Entrance,
        pause: Duration? = nil
    ) async throws -> Set<String> {
        let (client, url) = (server.client(), server.url("\(path)/connection.bin", via: entrance))
        var connections: Set<String> = []
        for _ in 0..<count {
            let response = try await client.response(for: HTTPRequest(url: url))
            #expect(try await response.body.collect() == Self.body)
            connections.insert(try #require(response.headerFields["X-Connection"]))
            if let pause { try await Task.sleep(for: pause) }
        }
        return connections
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func oneConnectionServesManyRequests(entrance: NginxServer.Entrance) async throws {
        #expect(try await connections(50, "", via: entrance).count == 1)
    }

    /// With HTTP/2, nginx goes by what is said of the server as a whole.
    @Test(arguments: [NginxServer.Entrance.http, .https], ["/closing", "/once"])
    func connectionsThatServeOneRequestAreReplacedUnnoticed(
        entrance: NginxServer.Entrance,
        path: String
    ) async throws {
        #expect(try await connections(100, path, via: entrance).count > 50)
    }

    /// The pause is as long as nginx keeps a connection, so that some requests meet its end on the way.
    @Test(arguments: [NginxServer.Entrance.http, .https])
    func connectionsThatEndWithoutAWordAreReplacedUnnoticed(entrance: NginxServer.Entrance) async throws {
        let count = try await connections(100, "/brief", via: entrance, pause: .milliseconds(5)).count
        #expect(count > 1)
    }

    @Test(arguments: NginxServer.Entrance.allCases)
    func manyRequestsAtOnceAreAllAnswered(entrance: NginxServer.Entrance) async throws {
        let client = server.client { $0.maximumConnectionsPerHost = 64 }
        let url = server.url("/connection.bin", via: entrance)
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<64 { group.addTask { try await client.data(for: url) } }
            for try await body in group { #expect(body == Self.body) }
        }
    }
}
