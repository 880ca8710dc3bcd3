import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
    }

    @Test func statusFieldsURLAndBodyArrive() async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        origin.on("/a", .respond(status: 203, headers: [("X-One", "1"), ("x-one", "2")], body: body))
        let response = try await client.response(for: HTTPRequest(url: origin.url("/a?q=1#f")))
        #expect(response.status == 203)
        #expect(response.headerFields.values(of: "X-One") == ["1", "2"])
        #expect(response.url == origin.url("/a?q=1"))
        #expect(response.body.bytes == nil)
        #expect(try await response.body.collect() == body)
        #expect(origin.requests("/a").map(\.target) == ["/a?q=1"])
    }

    @Test func everyStatusIsAnAnswerButNotForData() async throws {
        origin.on("/500", .respond(status: 500, body: [1]))
        #expect(try await client.response(for: HTTPRequest(url: origin.url("/500"))).status == 500)
        await #expect(throws: HTTPClient.Error.unsuccessful(status: 500)) {
            try await client.data(for: origin.url("/500"))
        }
        origin.on("/200", .respond(body: [7]))
        #expect(try await client.data(for: origin.url("/200")) == [7])
    }

    @Test func methodAndFieldsAreSentAsWritten() async throws {
        origin.on("/m", .respond())
        var request = HTTPRequest(method: "DELETE", url: origin.url("/m"))
        request.headerFields = ["Accept": "image/png", "X-Empty": "", "User-Agent": "me"]
        _ = try await client.response(for: request)
        _ = try await client.response(for: HTTPRequest(method: "POST", url: origin.url("/m")))
        _ = try await client.response(for: HTTPRequest(url: origin.url("/m")))
        let seen = origin.requests("/m")
        #expect(seen.map(\.method) == ["DELETE", "POST", "GET"])
        #expect(seen[0].header("accept") == "image/png")
        #expect(seen[0].header("x-empty")?.isEmpty == true)
        #expect(seen[0].header("user-agent") == "me")
        #expect(seen[0].header("accept-encoding") == "gzip, br")
        #expect(seen[1].header("content-length") == "0")
        #expect(seen[2].header("user-agent") == "AsyncKit")
        #expect(seen[2].header("content-length") == nil && seen[2].header("x-empty") == nil)
    }

    @Test func anAnswerToHEADHasLengthButNoBody() async throws {
        origin.on("/h", .respond(body: [1, 2, 3]))
        let request = HTTPRequest(method: "HEAD", url: origin.url("/h"), maximumBodySize: 1)
        let response = try await client.response(for: request)
        #expect(try await response.body.collect().isEmpty)
        #expect(response.headerFields["Content-Length"] == "3")
        #expect(try await client.data(for: origin.url("/h")) == [1, 2, 3])
    }

    @Test func connectionsAreUsedAgain() async throws {
        origin.on("/k", .respond(body: [1]))
        for _ in 0..<50 { _ = try await client.data(for: origin.url("/k")) }
        #expect(origin.requestCount("/k") == 50)
        #expect(origin.log.acceptedConnections == 1)
    }

    @Test func anAnswerInPiecesIsPutTogether() async throws {
        let text =
            "HTTP/1.1 200 OK\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        origin.on("/p", .pieces(text.utf8.map { [$0] }))
        let response = try await client.response(for: HTTPRequest(url: origin.url("/p")))
        #expect(try await response.body.collect() == Array("abcde".utf8))
        #expect(response.headerFields["A"] == "1")
    }

    @Test func interimAnswersAndTrailersAreLeftOut() async throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\na\r\n0\r\nX-Trailer: t\r\n\r\n"
        origin.on("/i", .pieces([Array(text.utf8)]))
        let response = try await client.response(for: HTTPRequest(url: origin.url("/i")))
        #expect(response.headerFields.map(\.name) == ["Transfer-Encoding"])
        #expect(try await response.body.collect() == Array("a".utf8))
    }

    @Test func userInfoBecomesBasicAuthentication() async throws {
        origin.on("/u", .respond())
        let url = "http://me:secret@127.0.0.1:\(origin.port)/u"
        let response = try await client.response(for: HTTPRequest(url: url))
        #expect(origin.requests("/u").first?.header("Authorization") == "Basic bWU6c2VjcmV0")
        #expect(response.url == origin.url("/u"))
        _ = try await client.data(for: origin.url("/u"))
        #expect(origin.requests("/u").last?.header("Authorization") == nil)
    }

    @Test func aBodyUpToTheEndOfTheConnectionIsTaken() async throws {
        origin.on("/e", .raw(Array("HTTP/1.1 200 OK\r\n\r\nall of it".utf8)))
        #expect(try await client.data(for: origin.url("/e")) == Array("all of it".utf8))
    }

    @Test func limitsOfConnectionsHoldUnderLoad() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.maximumConnectionsPerHost = 3
        let client = HTTPClient(configuration: configuration)
        origin.on("/l", .respond(body: [1]))
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask { [origin] in _ = try await client.data(for: origin.url("/l")) }
            }
            try await group.waitForAll()
        }
        #expect(origin.requestCount("/l") == 200)
        #expect((1...3).contains(origin.log.acceptedConnections))
    }
}
