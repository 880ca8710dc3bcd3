import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RedirectPolicyTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/from", .redirect(to: "/to"))
        origin.on("/to", .respond(body: [1]))
    }

    private func request(_ policy: HTTPRequest.RedirectPolicy) -> HTTPRequest {
        var request = HTTPRequest(url: origin.url("/from"))
        request.redirects = policy
        return request
    }

    @Test func returnGivesTheRedirectItself() async throws {
        let response = try await client.response(for: request(.return))
        #expect(response.status == 302)
        #expect(response.headerFields["Location"] == "/to")
        #expect(response.url == origin.url("/from"))
        #expect(origin.requestCount("/to") == 0)
    }

    @Test func theRequestsOwnLimitGoesFirst() async throws {
        await #expect(throws: HTTPClient.Error.tooManyRedirects(limit: 0)) {
            try await client.data(for: request(.followAtMost(0)))
        }
        #expect(try await client.data(for: request(.followAtMost(1))) == [1])
        var configuration = HTTPClient.Configuration()
        configuration.maximumRedirects = 0
        let strict = HTTPClient(configuration: configuration)
        #expect(try await strict.data(for: request(.followAtMost(1))) == [1])
        await #expect(throws: HTTPClient.Error.tooManyRedirects(limit: 0)) {
            try await client.data(for: request(.followAtMost(-1)))
        }
    }

    @Test func anotherOriginIsRefusedWhereOnlyOneIsFollowed() async throws {
        #expect(try await client.data(for: request(.followWithinOrigin)) == [1])
        let other = try HTTPOrigin()
        origin.on("/from", .redirect(to: other.url("/to")))
        await #expect(throws: HTTPClient.Error.badRedirect("it leads away, to 127.0.0.1:\(other.port)")) {
            try await client.data(for: request(.followWithinOrigin))
        }
        #expect(other.log.acceptedConnections == 0)
    }

    @Test func theURLInAnErrorIsWholeWhereThatIsAsked() async throws {
        origin.on("/from", .redirect(to: "/from?token=1"))
        origin.on("/from", .redirect(to: "http://:/?token=1"))
        let hidden = await #expect(throws: HTTPClient.Error.self) {
            try await client.data(for: request(.follow))
        }
        var configuration = HTTPClient.Configuration()
        configuration.showsWholeURLsInErrors = true
        let open = HTTPClient(configuration: configuration)
        let shown = await #expect(throws: HTTPClient.Error.self) {
            try await open.data(for: request(.follow))
        }
        #expect(hidden?.description.contains("token") == false)
        #expect(shown?.description.contains("token=1") == true)
        await #expect(throws: HTTPClient.Error.invalidURL("http://me:secret@/?q=1")) {
            try await open.data(for: "http://me:secret@/?q=1")
        }
        await #expect(throws: HTTPClient.Error.invalidURL("…@/…")) {
            try await client.data(for: "http://me:secret@/?q=1")
        }
    }
}
