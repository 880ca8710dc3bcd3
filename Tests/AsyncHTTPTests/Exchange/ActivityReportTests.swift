import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ActivityReportTests {
    private let origin: HTTPOrigin
    private let activity = NetworkActivity()
    private let client: HTTPClient

    init() throws {
        origin = try HTTPOrigin()
        origin.on("/", .respond(body: [1]))
        var configuration = HTTPClient.Configuration()
        configuration.activity = activity
        client = HTTPClient(configuration: configuration)
    }

    private func response(_ path: String) async throws(HTTPClient.Error) -> HTTPResponse {
        try await client.response(for: HTTPRequest(url: origin.url(path)))
    }

    /// Returns when nothing is under way any more; the client's thread may be a moment behind the caller.
    private func untilOver() async {
        _ = await activity.isActive.first { !$0 }
        #expect(activity.count == 0)
    }

    @Test func aRequestCountsFromItsStartToTheEndOfItsBody() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/gated", .gated(gate, .respond(body: [UInt8](repeating: 7, count: 4 << 20))))
        let task = Task { try await self.response("/gated") }
        _ = await activity.isActive.first { $0 }
        #expect(activity.count == 1)
        gate.open()
        let response = try await task.value
        // The body is larger than what is held for its reader.
        #expect(activity.count == 1)
        #expect(try await response.body.collect().count == 4 << 20)
        await untilOver()
    }

    @Test func aBodyThatHasComeCountsNoMoreThoughNobodyReadsIt() async throws {
        let response = try await response("/")
        await untilOver()
        #expect(try await response.body.collect() == [1])
        #expect(activity.count == 0)
    }

    @Test func aReleasedResponseCountsNoMore() async throws {
        origin.on("/stalled", .stalledBody(length: 100, sent: [1]))
        var response: HTTPResponse? = try await response("/stalled")
        #expect(response?.status == 200)
        #expect(activity.count == 1)
        response = nil
        await untilOver()
    }

    @Test func aCancelledRequestCountsNoMoreOnceItHasThrown() async throws {
        origin.on("/stalled", .stalled)
        let task = Task { try await response("/stalled") }
        _ = await activity.isActive.first { $0 }
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        #expect(activity.count == 0)
    }

    @Test func aCancelledReaderCountsNoMore() async throws {
        origin.on("/stalled", .stalledBody(length: 100, sent: [1]))
        let response = try await response("/stalled")
        let task = Task { try await response.body.collect() }
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        await untilOver()
        #expect(response.status == 200)
    }

    @Test(arguments: ["/reset", "/short", "/loop", "/missing"])
    func aFailureCountsNoMore(path: String) async throws {
        origin.on("/reset", .reset)
        origin.on("/short", .shortBody(length: 100, sent: [1]))
        origin.on("/loop", .redirect(to: "/loop"))
        await #expect(throws: HTTPClient.Error.self) { try await client.data(for: origin.url(path)) }
        await untilOver()
    }

    @Test func whatCannotBeDecodedCountsNoMore() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n"
        origin.on("/broken", .pieces([Array(head.utf8) + [UInt8](repeating: 0, count: 100)]))
        let response = try await response("/broken")
        await #expect(throws: HTTPClient.Error.self) { try await response.body.collect() }
        await untilOver()
        // Its transfer ends as well, though the response is kept.
        await origin.until { $0.openConnections == 0 }
        #expect(response.status == 200)
    }

    @Test func redirectsCountAsOneRequest() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/a", .redirect(to: "/b"))
        origin.on("/b", .gated(gate, .respond()))
        let task = Task { try await response("/a") }
        await origin.until { $0.requestCounts["/b"] == 1 }
        #expect(activity.count == 1)
        gate.open()
        _ = try await task.value
        await untilOver()
    }

    @Test func closingTheClientEndsAll() async throws {
        origin.on("/stalled", .stalledBody(length: 100, sent: [1]))
        let responses = [try await response("/stalled"), try await response("/stalled")]
        #expect(activity.count == 2)
        await client.close()
        #expect(activity.count == 0)
        _ = responses
    }

    @Test func aRequestThatIsNotSentDoesNotCount() async {
        await #expect(throws: HTTPClient.Error.self) { try await client.data(for: "ftp://a/") }
        #expect(activity.count == 0)
    }

    @Test func aClientWithoutAnActivityCountsNowhere() async throws {
        var configuration = HTTPClient.Configuration()
        #expect(configuration.activity == .shared)
        configuration.activity = nil
        origin.on("/stalled", .stalledBody(length: 100, sent: [1]))
        let request = HTTPRequest(url: origin.url("/stalled"))
        let response = try await HTTPClient(configuration: configuration).response(for: request)
        #expect(response.status == 200)
        #expect(activity.count == 0)
    }

    @Test func manyRequestsInManyEndingsLeaveNothingBehind() async {
        origin.on("/stalled", .stalled)
        origin.on("/stalled-body", .stalledBody(length: 100, sent: [1]))
        origin.on("/short", .shortBody(length: 100, sent: [1]))
        let paths = ["/", "/stalled", "/stalled-body", "/short", "/missing"]
        await withTaskGroup { group in
            for number in 0..<500 {
                group.addTask {
                    let task = Task { try await self.response(paths[number % paths.count]).body.collect() }
                    if number % 3 == 0 { await Task.yield() }
                    if number % 5 > 0 || number % 2 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        await untilOver()
    }
}
