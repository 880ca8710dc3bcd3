import AsyncHTTP
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProgressTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()
    private let meter = HTTPProgressMeter()

    init() throws {
        origin = try HTTPOrigin()
    }

    private func request(_ path: String, _ body: HTTPRequest.Body? = nil) -> HTTPRequest {
        var request = HTTPRequest(method: body == nil ? "GET" : "PUT", url: origin.url(path), body: body)
        request.progress = meter
        return request
    }

    private func watch() -> Task<[HTTPProgress], Never> {
        let values = meter.values
        return Task { await values.reduce(into: []) { $0.append($1) } }
    }

    @Test func whatComesIsToldUpToTheEnd() async throws {
        origin.on("/a", .respond(body: [UInt8](repeating: 1, count: 3_000_000)))
        let seen = watch()
        #expect(meter.current == HTTPProgress())
        _ = try await client.data(for: request("/a"))
        #expect(await seen.value.last == HTTPProgress(received: 3_000_000, total: 3_000_000))
        #expect(meter.current.fraction == 1)
    }

    @Test func whatIsSentIsToldUpToTheEnd() async throws {
        origin.on("/up", .respond())
        let seen = watch()
        let body = HTTPRequest.Body([UInt8](repeating: 1, count: 3_000_000))
        _ = try await client.data(for: request("/up", body))
        let last = await seen.value.last
        #expect(last == HTTPProgress(received: 0, total: 0, sent: 3_000_000, totalToSend: 3_000_000))
        #expect(last?.fractionSent == 1)
    }

    @Test func withoutALengthThereIsNoTotal() async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
        origin.on("/chunks", .pieces([Array(text.utf8)]))
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2])
            continuation.finish()
        }
        _ = try await client.data(for: request("/chunks", .stream(stream)))
        #expect(meter.current == HTTPProgress(received: 1, total: nil, sent: 2, totalToSend: nil))
        #expect(meter.current.fraction == nil && meter.current.fractionSent == nil)
    }

    @Test(arguments: ["/hang-up", "not a url"])
    func valuesEndWithARequestThatFails(path: String) async throws {
        origin.on("/hang-up", .hangUp)
        let seen = watch()
        var request = request(path)
        if path == "not a url" { request.url = path }
        await #expect(throws: HTTPClient.Error.self) { try await client.data(for: request) }
        #expect(await !seen.value.isEmpty)
    }

    @Test func valuesEndWhenTheResponseIsReleased() async throws {
        origin.on("/a", .stalledBody(length: 100, sent: [1]))
        let seen = watch()
        try await dropResponse("/a")
        #expect(await seen.value.last?.total == 100)
    }

    private func dropResponse(_ path: String) async throws {
        _ = try await client.response(for: request(path))
    }

    @Test func aRedirectIsOneRequest() async throws {
        origin.on("/from", .redirect(to: "/to"))
        origin.on("/to", .respond(body: [1, 2, 3]))
        let seen = watch()
        _ = try await client.data(for: request("/from"))
        #expect(await seen.value.last == HTTPProgress(received: 3, total: 3))
    }

    @Test func aDownloadTellsItsMeterToo() async throws {
        let folder = Folder()
        origin.on("/a", .respond(body: [UInt8](repeating: 1, count: 1000)))
        let seen = watch()
        _ = try await client.download(request("/a"), to: folder.path("a"))
        #expect(await seen.value.last == HTTPProgress(received: 1000, total: 1000))
    }
}
