import AsyncHTTP
import Support
import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    private let origin: HTTPOrigin
    private let other: HTTPOrigin
    private let client = HTTPClient()
    private let secrets: HTTPFields = [
        "Authorization": "Bearer a", "cookie": "b=c", "Proxy-Authorization": "Basic d", "X-Kept": "e",
    ]

    init() throws {
        origin = try HTTPOrigin()
        other = try HTTPOrigin()
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func eachKindIsFollowed(status: Int) async throws {
        origin.on("/dir/from", .redirect(to: "to?x=1", status: status))
        origin.on("/dir/to", .respond(body: [1]))
        let response = try await client.response(for: HTTPRequest(url: origin.url("/dir/from")))
        #expect(response.url == origin.url("/dir/to?x=1"))
        #expect(try await response.body.collect() == [1])
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
        (308, "POST", "POST"), (302, "PUT", "PUT"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
    ])
    func methodsChangeAsInRFC9110(status: Int, before: String, after: String) async throws {
        origin.on("/from", .redirect(to: "/to", status: status))
        origin.on("/to", .respond())
        _ = try await client.response(for: HTTPRequest(method: before, url: origin.url("/from")))
        #expect(origin.requests("/to").map(\.method) == [after])
    }

    @Test func credentialsStayWithinTheirOrigin() async throws {
        origin.on("/from", .redirect(to: "/to"))
        origin.on("/to", .respond())
        let url = "http://me:pw@127.0.0.1:\(origin.port)/from"
        _ = try await client.response(for: HTTPRequest(url: url, headerFields: ["Cookie": "b=c"]))
        #expect(origin.requests("/to").first?.header("Authorization") == "Basic bWU6cHc=")
        #expect(origin.requests("/to").first?.header("Cookie") == "b=c")
    }

    @Test func credentialsAreNotToldToAnotherOrigin() async throws {
        origin.on("/from", .redirect(to: other.url("/to")))
        other.on("/to", .redirect(to: origin.url("/back")))
        origin.on("/back", .respond())
        let url = "http://me:pw@127.0.0.1:\(origin.port)/from"
        _ = try await client.response(for: HTTPRequest(url: origin.url("/from"), headerFields: secrets))
        _ = try await client.response(for: HTTPRequest(url: url))
        for request in other.requests("/to") + origin.requests("/back") {
            for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
                #expect(request.header(name) == nil)
            }
        }
        #expect(other.requests("/to").first?.header("X-Kept") == "e")
        #expect(origin.requests("/from").first?.header("Authorization") == "Bearer a")
    }

    @Test func anEndlessChainEndsAtTheLimit() async throws {
        origin.on("/chain", .computed { .redirect(to: $0.target + "x") })
        await #expect(throws: HTTPClient.Error.tooManyRedirects(limit: 10)) {
            try await client.data(for: origin.url("/chain?x"))
        }
        #expect(origin.requestCount("/chain") == 11)
        var configuration = HTTPClient.Configuration()
        configuration.maximumRedirects = 0
        await #expect(throws: HTTPClient.Error.tooManyRedirects(limit: 0)) {
            try await HTTPClient(configuration: configuration).data(for: origin.url("/chain"))
        }
    }

    @Test func aCircleIsNoticedAtOnce() async throws {
        origin.on("/a", .redirect(to: "/b?secret=1"))
        origin.on("/b", .redirect(to: "/a#there"))
        await #expect(throws: HTTPClient.Error.badRedirect("it leads in a circle, back to “/a…”")) {
            try await client.data(for: origin.url("/a"))
        }
        #expect(origin.requestCount("/a") == 1)
        #expect(origin.requestCount("/b") == 1)
    }

    @Test func theSamePlaceByAnotherMethodIsNoCircle() async throws {
        origin.on(
            "/form",
            .computed { $0.method == "POST" ? .redirect(to: "/form", status: 303) : .respond(body: [1]) }
        )
        let request = HTTPRequest(method: "POST", url: origin.url("/form"), body: "a=1")
        #expect(try await client.data(for: request) == [1])
        #expect(origin.requests("/form").map(\.method) == ["POST", "GET"])
    }

    @Test func allHopsShareOneTimeLimit() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/from", .redirect(to: "/gated"))
        origin.on("/gated", .gated(gate, .respond()))
        let limit = Duration.milliseconds(100)
        await #expect(throws: HTTPClient.Error.timedOut(.total, after: limit)) {
            try await client.response(for: HTTPRequest(url: origin.url("/from"), timeout: limit))
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd", "http://", "http://a:b:c/", "javascript:1"])
    func targetsBeyondHTTPAreRefused(target: String) async throws {
        origin.on("/from", .redirect(to: target))
        let error = await #expect(throws: HTTPClient.Error.self) {
            try await client.data(for: origin.url("/from"))
        }
        guard case .badRedirect = error else {
            Issue.record("\(target) gave \(String(describing: error)).")
            return
        }
    }

    @Test func theWayFromHTTPSToHTTPIsRefused() throws {
        let hop = try Hop(HTTPRequest(url: "https://a/"), Hop.Rules(HTTPClient.Configuration()))
        let head = try ResponseHead(Array("HTTP/1.1 302 Found\r\nLocation: http://a/\r\n".utf8))
        #expect(throws: HTTPClient.Error.badRedirect("it leads from https to http at a:80")) {
            try hop.redirected(by: head)
        }
    }

    @Test func twoDifferentPlacesAreRefused() async throws {
        let places = [("Location", "/a"), ("Location", "/b")]
        origin.on("/from", .respond(status: 302, headers: places))
        await #expect(throws: HTTPClient.Error.badRedirect("it names several places")) {
            try await client.data(for: origin.url("/from"))
        }
    }

    @Test func withoutAPlaceItIsAnAnswer() async throws {
        origin.on("/from", .respond(status: 302, body: [9]))
        let response = try await client.response(for: HTTPRequest(url: origin.url("/from")))
        #expect(response.status == 302)
        #expect(try await response.body.collect() == [9])
        origin.on("/304", .respond(status: 304, headers: [("Location", "/x")]))
        #expect(try await client.response(for: HTTPRequest(url: origin.url("/304"))).status == 304)
    }
}
