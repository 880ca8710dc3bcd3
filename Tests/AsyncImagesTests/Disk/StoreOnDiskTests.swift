import AsyncHTTP
import AsyncPrimitives
import Support
import Testing

@testable import AsyncImages

/// A server whose picture and answers the test changes, and programs that come and go on one folder.
private final class Server: HTTPTransport {
    struct Content {
        var status = 200
        var fields: HTTPFields = [
            "Content-Type": "image/png", "ETag": "\"1\"", "Cache-Control": "max-age=1000",
        ]
        var body: [UInt8] = []
        var isReachable = true
        var requests: [HTTPRequest] = []
    }

    let content = Lock(Content())

    var requestCount: Int { content.withLock { $0.requests.count } }

    func response(for request: HTTPRequest) async throws(HTTPClient.Error) -> HTTPResponse {
        let content = content.withLock { content in
            content.requests.append(request)
            return content
        }
        guard content.isReachable else { throw .refused(host: "a") }
        var (status, body) = (content.status, content.body)
        if let tag = request.headerFields["If-None-Match"], tag == content.fields["ETag"] {
            (status, body) = (304, [])
        }
        return HTTPResponse(
            status: status,
            headerFields: content.fields,
            url: request.url,
            body: HTTPBody(body)
        )
    }
}

@Suite(.timeLimit(.minutes(1)))
struct StoreOnDiskTests {
    private let server = Server()
    private let now = Lock(1_000_000)
    private let path: String

    init() throws {
        path = try makeTemporaryDirectory(for: "store-on-disk")
        let png = try Pictures.png(Pictures.red)
        server.content.withLock { $0.body = png }
    }

    /// A store as a program makes it that starts now.
    private func store(decodingWith codec: any ImageCodec = PNGCodec()) -> ImageStore {
        var configuration = ImageStore.Configuration()
        configuration.disk = .init(directory: path)
        configuration.codecs = [codec]
        configuration.decodingThreads = 1
        configuration.wallTime = { [now] in now.withLock { $0 } }
        return ImageStore(transport: server, configuration: configuration)
    }

    private func changePicture() throws {
        let blue = try Pictures.png(Pictures.blue)
        server.content.withLock { content in
            content.fields["ETag"] = "\"2\""
            content.body = blue
        }
    }

    private func pass(_ seconds: Int) {
        now.withLock { $0 += seconds }
    }

    private func origin(_ policy: ImageRequest.CachePolicy = .standard) async throws -> ImageResponse.Origin {
        var request = ImageRequest("http://a/x.png")
        request.cachePolicy = policy
        return try await store().response(for: request).origin
    }

    @Test func aPictureSurvivesTheProgram() async throws {
        #expect(try await origin() == .network)
        #expect(try await origin() == .disk)
        #expect(server.requestCount == 1)
    }

    @Test func aStaleOneIsAskedAboutAndKeptWhenItIsStillGood() async throws {
        _ = try await origin()
        pass(2000)
        #expect(try await origin() == .revalidated)
        #expect(try await origin() == .disk)
        #expect(server.requestCount == 2)
    }

    @Test func aNewPictureReplacesTheOldOne() async throws {
        _ = try await origin()
        pass(2000)
        try changePicture()
        #expect(try await origin() == .network)
        #expect(try await store().image(for: "http://a/x.png")[0, 0] == Pictures.blue)
    }

    @Test func whatMayNotBeStoredIsNot() async throws {
        for fields in [
            ["Content-Type": "image/png", "Cache-Control": "no-store"],
            ["Content-Type": "image/png", "Vary": "*"],
        ] as [HTTPFields] {
            server.content.withLock { $0.fields = fields }
            #expect(try await origin() == .network)
            #expect(try await origin() == .network)
        }
    }

    @Test func aPolicyOfNoStoreLeavesNothing() async throws {
        #expect(try await origin(.noStore) == .network)
        #expect(try await origin() == .network)
    }

    @Test func withoutANetworkTheOldPictureServes() async throws {
        _ = try await origin()
        pass(1_000_000)
        server.content.withLock { $0.isReachable = false }
        #expect(try await origin() == .disk)
        #expect(try await origin(.cacheOnly) == .disk)
    }

    @Test func whatMustBeRevalidatedDoesNotServeOffline() async throws {
        server.content.withLock { $0.fields["Cache-Control"] = "max-age=1, must-revalidate" }
        _ = try await origin()
        pass(10)
        server.content.withLock { $0.isReachable = false }
        await #expect(throws: ImageStore.Error.transport(.refused(host: "a"))) { try await origin() }
    }

    @Test func aServerInTroubleIsForgivenIfItSaidSo() async throws {
        server.content.withLock { $0.fields["Cache-Control"] = "max-age=10, stale-if-error=100" }
        _ = try await origin()
        pass(50)
        server.content.withLock { content in
            content.status = 503
            content.fields["ETag"] = nil
        }
        #expect(try await origin() == .disk)
        pass(100)
        await #expect(throws: ImageStore.Error.status(503)) { try await origin() }
    }

    @Test func aStalePictureComesAtOnceAndIsRefreshedAfterwards() async throws {
        server.content.withLock { $0.fields["Cache-Control"] = "max-age=10, stale-while-revalidate=100" }
        _ = try await origin()
        pass(50)
        try changePicture()
        let store = store()
        let first = try await store.response(for: ImageRequest("http://a/x.png"))
        #expect(first.origin == .disk && first.image[0, 0] == Pictures.red)
        while store.cachedImage(for: "http://a/x.png")?[0, 0] != Pictures.blue { await Task.yield() }
        #expect(server.requestCount == 2)
    }

    @Test func reloadAsksTheServerButNotAboutWhatNeverChanges() async throws {
        _ = try await origin()
        #expect(try await origin(.reload) == .revalidated)
        server.content.withLock { $0.fields["Cache-Control"] = "max-age=1000, immutable" }
        _ = try await origin(.reload)
        #expect(try await origin(.reload) == .disk)
    }

    @Test func clearingForgetsTheFileToo() async throws {
        let store = store()
        _ = try await store.image(for: "http://a/x.png")
        await store.clearCache(for: "http://a/x.png")
        #expect(try await origin() == .network)
        await store.clearAllCaches()
        #expect(try await origin() == .network)
    }

    @Test func whatWasClearedIsGoneAlsoWhenTheCallerIsCancelled() async throws {
        let store = store()
        _ = try await store.image(for: "http://a/x.png")
        let clearing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await store.clearCache(for: "http://a/x.png")
        }
        await clearing.value
        #expect(try await origin() == .network)
    }

    @Test(arguments: [404, 410])
    func whatTheServerSaysIsGoneIsNotServedOffline(status: Int) async throws {
        _ = try await origin()
        pass(2000)
        server.content.withLock { content in
            content.status = status
            content.fields["ETag"] = nil
        }
        await #expect(throws: ImageStore.Error.status(status)) { try await origin() }
        server.content.withLock { $0.isReachable = false }
        await #expect(throws: ImageStore.Error.transport(.refused(host: "a"))) { try await origin() }
    }

    @Test func aNewerAnswerThatMayNotBeStoredTakesTheOldOneAway() async throws {
        _ = try await origin()
        pass(2000)
        try changePicture()
        server.content.withLock { $0.fields["Cache-Control"] = "no-store" }
        #expect(try await origin() == .network)
        server.content.withLock { $0.isReachable = false }
        await #expect(throws: ImageStore.Error.transport(.refused(host: "a"))) { try await origin() }
    }

    @Test func aRefreshThatFailedIsNotTriedAgainForEachReader() async throws {
        server.content.withLock { $0.fields["Cache-Control"] = "max-age=10, stale-while-revalidate=1000" }
        _ = try await origin()
        pass(50)
        server.content.withLock { content in
            content.status = 500
            content.fields["ETag"] = nil
        }
        let store = store()
        var events = store.events.makeAsyncIterator()
        let request = ImageRequest("http://a/x.png")
        #expect(try await store.response(for: request).origin == .disk)
        while let event = await events.next() {
            if case .failed = event { break }
        }
        for _ in 0..<100 { #expect(try await store.response(for: request).image[0, 0] == Pictures.red) }
        #expect(server.requestCount == 2)
    }

    @Test func noMoreFilesFromDiskAreInMemoryThanAllowed() async throws {
        let urls = (0..<40).map { "http://a/\($0).png" }
        for url in urls { _ = try await store().image(for: url) }
        let door = ThreadSemaphore()
        let store = store(decodingWith: CountingCodec { door.wait() })
        let tasks = urls.map { url in Task { try await store.image(for: url) } }
        // One decoding thread, and two files for it.
        while store.loader.waitingForDiskCount < 38 { await Task.yield() }
        #expect(store.loader.waitingForDiskCount == 38)
        for _ in tasks { door.signal() }
        for task in tasks { _ = try await task.value }
        #expect(server.requestCount == 40)
    }

    @Test func aDiskThatCannotBeWrittenFailsNoRequest() async throws {
        var configuration = ImageStore.Configuration()
        configuration.disk = .init(directory: "/proc/self/nothing")
        let store = ImageStore(transport: server, configuration: configuration)
        #expect(try await store.response(for: ImageRequest("http://a/x.png")).origin == .network)
        #expect(store.loader.disk?.failureCount == 1)
    }

    @Test func aThousandReadersOfAStalePictureAreOneQuestion() async throws {
        _ = try await origin()
        pass(2000)
        let store = store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { _ = try await store.image(for: "http://a/x.png") } }
            try await group.waitForAll()
        }
        #expect(server.requestCount == 2)
    }

    @Test func aServersWordOnAFailureGoesBeforeTheUsualTime() async throws {
        let fields: [(Int, HTTPFields, Duration?)] = [
            (429, ["Retry-After": "120"], .seconds(120)), (404, ["Cache-Control": "max-age=9"], .seconds(9)),
            (503, ["Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"], .seconds(50)),
            (500, ["Retry-After": "1"], nil),
        ]
        for (status, fields, lifetime) in fields {
            #expect(FailureAdvice.lifetime(status: status, fields, now: 10) == lifetime)
        }
        let told = LoadFailure(.status(429), lifetime: .seconds(1_000_000))
        #expect(ImageStore.FailureLifetimes().lifetime(of: told) == .seconds(86_400))
    }
}
