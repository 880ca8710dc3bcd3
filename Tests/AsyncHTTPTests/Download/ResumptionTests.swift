import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ResumptionTests {
    private let origin: HTTPOrigin
    private let folder = Folder()
    private static let body = RangedFile.sample(250_000)

    init() throws {
        origin = try HTTPOrigin()
    }

    private func download(tries: Int = 3, timeout: Duration = .seconds(60)) async throws -> HTTPDownload {
        var configuration = HTTPClient.Configuration()
        configuration.maximumResumptions = tries
        let client = HTTPClient(configuration: configuration)
        let request = HTTPRequest(url: origin.url("/a"), timeout: timeout)
        return try await client.download(request, to: folder.path("a"))
    }

    /// Answers the first requests so, in order, and all later ones like the last of them.
    private func script(_ answers: [@Sendable (HTTPOrigin.Request) -> HTTPOrigin.Behaviour]) {
        let next = Lock(0)
        origin.on(
            "/a",
            .computed { request in
                let number = next.withLock { next in
                    defer { next += 1 }
                    return min(next, answers.count - 1)
                }
                return answers[number](request)
            }
        )
    }

    private var ranges: [String?] { origin.requests("/a").map { $0.header("Range") } }

    private func expectFailure(_ error: HTTPClient.Error, requests: Int) async {
        await #expect(throws: error) { try await download() }
        #expect(origin.requestCount("/a") == requests)
        #expect(folder.names == [])
    }

    @Test(arguments: [true, false])
    func bodyThatIsCutOffIsAskedForFromThere(tellsLength: Bool) async throws {
        origin.on("/a", RangedFile(body: Self.body, piece: 100_000, tellsLength: tellsLength).behaviour)
        let download = try await download()
        #expect(folder.bytes("a") == Self.body)
        #expect(ranges == [nil, "bytes=100000-", "bytes=200000-"])
        #expect(origin.requests("/a").map { $0.header("If-Range") } == [nil, "\"v1\"", "\"v1\""])
        #expect(download.isResumed && download.status == 206)
        #expect(download.byteCount == Self.body.count)
        #expect(download.headerFields["Content-Range"] == nil)
    }

    @Test func restIsAskedForAFewTimesOnly() async {
        origin.on("/a", RangedFile(body: Self.body, piece: 10).behaviour)
        await expectFailure(.truncatedBody, requests: 4)
    }

    @Test func noTriesMeanNone() async {
        origin.on("/a", RangedFile(body: Self.body, piece: 10).behaviour)
        await #expect(throws: HTTPClient.Error.truncatedBody) { try await download(tries: 0) }
        #expect(origin.requestCount("/a") == 1)
    }

    @Test(arguments: [
        RangedFile(body: body, tag: "W/\"v1\"", piece: 10), RangedFile(body: body, tag: "v1", piece: 10),
        RangedFile(body: body, tag: "\"v\"1\"", piece: 10),
        RangedFile(body: body, piece: 10, headers: [("Accept-Ranges", "none")]),
        RangedFile(body: body, piece: 10, headers: [("Content-Encoding", "gzip")]),
    ])
    func withoutAStrongTagNothingIsAskedForAgain(file: RangedFile) async {
        origin.on("/a", file.behaviour)
        await expectFailure(.truncatedBody, requests: 1)
    }

    @Test func restOfAnAnswerToPostIsNotAskedFor() async {
        origin.on("/a", RangedFile(body: Self.body, piece: 10).behaviour)
        let request = HTTPRequest(method: "POST", url: origin.url("/a"))
        await #expect(throws: HTTPClient.Error.truncatedBody) {
            try await HTTPClient.shared.download(request, to: folder.path("a"))
        }
        #expect(origin.requestCount("/a") == 1)
    }

    @Test func contentThatChangedIsTakenFromItsStart() async throws {
        let old = RangedFile(body: Self.body, piece: 100_000)
        let new = RangedFile(body: [1, 2, 3], tag: "\"v2\"", piece: 3)
        script([{ old.answer($0) }, { new.answer($0) }])
        let download = try await download()
        #expect(folder.bytes("a") == [1, 2, 3])
        #expect(ranges == [nil, "bytes=100000-"])
        #expect(!download.isResumed)
        #expect(download.headerFields["ETag"] == "\"v2\"")
    }

    @Test func rangeThatCanNotBeServedIsFollowedByOneFreshStart() async throws {
        let file = RangedFile(body: Self.body, piece: 100_000)
        let whole = RangedFile(body: Self.body, piece: .max)
        let refusal: @Sendable (HTTPOrigin.Request) -> HTTPOrigin.Behaviour = { _ in .respond(status: 416) }
        script([{ file.answer($0) }, refusal, { whole.answer($0) }])
        #expect(try await !download().isResumed)
        #expect(folder.bytes("a") == Self.body)
        #expect(ranges == [nil, "bytes=100000-", nil])
        script([{ file.answer($0) }, refusal, { file.answer($0) }, refusal])
        await #expect(throws: HTTPClient.Error.unsuccessful(status: 416)) { try await download() }
    }

    @Test(arguments: ["ETag: \"v2\"", "Content-Encoding: gzip", ""])
    func partOfSomethingElseIsFollowedByAFreshStart(line: String) async throws {
        let file = RangedFile(body: Self.body, piece: 100_000)
        let whole = RangedFile(body: Self.body, piece: .max)
        let total = line.isEmpty ? 250_001 : 250_000
        let range = "Content-Range: bytes 100000-\(total - 1)/\(total)"
        let foreign = "HTTP/1.1 206 OK\r\n\(range)\r\n\(line.isEmpty ? "X: y" : line)\r\n\r\n"
        script([{ file.answer($0) }, { _ in .raw(Array(foreign.utf8)) }, { whole.answer($0) }])
        #expect(try await !download().isResumed)
        #expect(folder.bytes("a") == Self.body)
    }

    @Test func partBehindAnotherRedirectIsNotAppended() async throws {
        let file = RangedFile(body: Self.body, piece: 100_000)
        let whole = RangedFile(body: Self.body, piece: .max)
        origin.on("/1", file.behaviour)
        origin.on("/2", whole.behaviour)
        script([{ _ in .redirect(to: "/1") }, { _ in .redirect(to: "/2") }])
        let download = try await download()
        #expect(download.url == origin.url("/2"))
        #expect(origin.requests("/2").map { $0.header("Range") } == ["bytes=100000-", nil])
        #expect(folder.bytes("a") == Self.body)
    }

    @Test(arguments: [
        "bytes 99999-249999/250000", "bytes 100001-249999/250000", "bytes 100000-249999/x", "bytes */250000",
        "lines 100000-249999/250000", "bytes 100000-250000/250000", nil,
    ])
    func partThatWasNotAskedForIsAnError(range: String?) async {
        let file = RangedFile(body: Self.body, piece: 100_000)
        let headers = range.map { [("Content-Range", $0)] } ?? []
        script([
            { file.answer($0) },
            { _ in .respond(status: 206, headers: headers, body: Array(Self.body[100_000...])) },
        ])
        await expectFailure(
            .malformedResponse("it sends another part than it was asked for"),
            requests: 2
        )
    }

    @Test func partThatIsLongerThanItSaysIsAnError() async {
        let file = RangedFile(body: Self.body, piece: 100_000)
        let headers = [("Content-Range", "bytes 100000-100001/250000")]
        script([
            { file.answer($0) }, { _ in .respond(status: 206, headers: headers, body: [1, 2, 3]) },
        ])
        await expectFailure(.malformedResponse("it sends more than its Content-Range says"), requests: 2)
    }

    @Test func partThatIsShorterThanTheRestIsFollowedByAnother() async throws {
        let file = RangedFile(body: Self.body, piece: 100_000)
        let headers = [("Content-Range", "bytes 100000-149999/250000")]
        let middle = Array(Self.body[100_000..<150_000])
        script([
            { file.answer($0) }, { _ in .respond(status: 206, headers: headers, body: middle) },
            { file.answer($0) },
        ])
        #expect(try await download().isResumed)
        #expect(folder.bytes("a") == Self.body)
        #expect(ranges == [nil, "bytes=100000-", "bytes=150000-"])
    }

    @Test func connectionThatIsLostOnTheWayBackIsTriedAgain() async throws {
        let file = RangedFile(body: Self.body, piece: 150_000)
        script([{ file.answer($0) }, { _ in .hangUp }, { file.answer($0) }])
        #expect(try await download().isResumed)
        #expect(folder.bytes("a") == Self.body)
    }

    @Test func timeLimitCountsForAllAnswersTogether() async {
        let file = RangedFile(body: Self.body, piece: 100_000)
        script([{ file.answer($0) }, { _ in .stalled }])
        let limit = Duration.milliseconds(400)
        await #expect(throws: HTTPClient.Error.timedOut(.total, after: limit)) {
            try await download(timeout: limit)
        }
        #expect(folder.names == [])
    }

    @Test func sizeLimitCountsForAllAnswersTogether() async {
        let file = RangedFile(body: Self.body, piece: 100_000, tellsLength: false)
        origin.on("/a", file.behaviour)
        let request = HTTPRequest(url: origin.url("/a"), maximumBodySize: 150_000)
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 150_000)) {
            try await HTTPClient.shared.download(request, to: folder.path("a"))
        }
        #expect(folder.names == [])
    }
}
