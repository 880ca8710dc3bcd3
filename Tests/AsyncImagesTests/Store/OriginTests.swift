import AsyncHTTP
import Support
import Testing

@testable import AsyncImages

/// The store on a real client and a real server.
@Suite(.timeLimit(.minutes(2)))
struct OriginTests {
    private let origin: HTTPOrigin
    private let codec = CountingCodec()
    private let store: ImageStore

    init() throws {
        origin = try HTTPOrigin()
        var configuration = ImageStore.Configuration()
        configuration.codecs = [codec, JPEGCodec()]
        configuration.maximumBodySize = 100_000
        store = ImageStore(transport: HTTPClient(), configuration: configuration)
    }

    @Test func aThousandTasksOnOneURLAreOneRequestAndOneDecode() async throws {
        let gate = try HTTPOrigin.Gate()
        origin.on("/a.png", .gated(gate, picture(try Pictures.png())))
        let url = origin.url("/a.png")
        let count = try await withThrowingTaskGroup(of: Image.self) { group in
            for _ in 0..<1000 { group.addTask { try await store.image(for: url) } }
            while await store.waiterCount(for: url) < 1000 { await Task.yield() }
            gate.open()
            return try await group.reduce(into: 0) { count, image in count += image.width == 8 ? 1 : 0 }
        }
        #expect(count == 1000)
        #expect(origin.requestCount("/a.png") == 1)
        #expect(codec.count == 1)
    }

    @Test func tasksThatComeAndGoAtAnyTimeNeverMakeASecondRequest() async throws {
        for round in 0..<30 {
            origin.on("/\(round)", picture(try Pictures.png()))
            let url = origin.url("/\(round)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 { group.addTask { _ = try await store.image(for: url) } }
                try await group.waitForAll()
            }
            #expect(origin.requestCount("/\(round)") == 1)
        }
        #expect(codec.count == 30)
    }

    @Test func theLastCallerOutClosesTheConnection() async throws {
        origin.on("/stalled", .stalledBody(length: 1000, sent: [1, 2, 3]))
        let url = origin.url("/stalled")
        let task = Task { try await store.image(for: url) }
        await origin.until { $0.requestCounts["/stalled"] == 1 }
        task.cancel()
        await #expect(throws: ImageStore.Error.cancelled) { try await task.value }
        await origin.until { $0.abandoned["/stalled"] == 1 }
    }

    @Test func aPictureUnderAnErrorStatusIsNoPicture() async throws {
        origin.on(
            "/a",
            .respond(status: 404, headers: [("Content-Type", "image/png")], body: try Pictures.png())
        )
        await expect(.status(404), for: "/a", requests: 1)
    }

    @Test func aPictureUnderAnotherTypeIsNoPicture() async throws {
        origin.on("/a", .respond(headers: [("Content-Type", "text/html")], body: try Pictures.png()))
        await expect(.contentType("text/html"), for: "/a", requests: 1)
    }

    @Test func brokenBytesAreNoPicture() async throws {
        origin.on("/a", picture(Array(try Pictures.png().dropLast(5))))
        await expect(
            .undecodable(.damaged(.png, reason: "ends before its end mark")),
            for: "/a",
            requests: 1
        )
    }

    @Test func aBodyShorterThanItsLengthIsRefusedAndFetchedAgain() async throws {
        let whole = try Pictures.png()
        origin.on("/a", .raw(Array(head(length: whole.count).utf8) + whole.dropLast(5)))
        await expect(.transport(.truncatedBody), for: "/a", requests: 2)
        origin.on("/a", picture(whole))
        #expect(try await store.image(for: origin.url("/a")).width == 8)
    }

    @Test func aBodyCutByItsLengthIsNoPicture() async throws {
        let whole = try Pictures.png()
        origin.on("/a", .raw(Array(head(length: whole.count - 5).utf8) + whole))
        await expect(
            .undecodable(.damaged(.png, reason: "ends before its end mark")),
            for: "/a",
            requests: 1
        )
    }

    @Test func aBodyAboveTheLimitIsGivenUp() async {
        let large = [UInt8](repeating: 0, count: 100_001)
        origin.on("/a", .respond(headers: [("Content-Type", "image/png")], body: large))
        await expect(.transport(.tooLarge(.body, limit: 100_000)), for: "/a", requests: 1)
    }

    @Test func aBodyThatIsNoPictureIsNotRead() async {
        origin.on("/a", .endlessBody)
        await expect(.contentType(nil), for: "/a", requests: 1)
        await origin.until { $0.abandoned["/a"] == 1 }
    }

    @Test func nothingListeningIsAnErrorEachTime() async throws {
        let url = origin.url("/a")
        origin.stop()
        for _ in 0..<2 {
            do throws(ImageStore.Error) {
                _ = try await store.image(for: url)
                Issue.record("A stopped server gave a picture.")
            } catch {
                guard case .transport = error else {
                    Issue.record("Another error came: \(error)")
                    return
                }
            }
        }
    }

    @Test(arguments: ["", "a.png", "http://", "ftp://127.0.0.1/a.png", "http://127.0.0.1:99999/"])
    func aBadURLIsAnErrorAndNoCrash(url: String) async {
        await #expect(throws: ImageStore.Error.self) { try await store.image(for: url) }
    }

    /// Asks twice and counts the requests that made.
    private func expect(_ error: ImageStore.Error, for path: String, requests: Int) async {
        for _ in 0..<2 {
            await #expect(throws: error) { try await store.image(for: origin.url(path)) }
        }
        #expect(origin.requestCount(path) == requests)
        #expect(store.cachedImage(for: origin.url(path)) == nil)
    }

    private func picture(_ bytes: [UInt8]) -> HTTPOrigin.Behaviour {
        .respond(headers: [("Content-Type", "image/png")], body: bytes)
    }

    private func head(length: Int) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(length)\r\n\r\n"
    }
}
