import AsyncBridging
import AsyncHTTP
import AsyncPrimitives
import Dispatch
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
    private let origin: HTTPOrigin
    private let client = HTTPClient()
    private let folder = Folder()

    init() throws {
        origin = try HTTPOrigin()
    }

    private func download(_ path: String, to name: String = "a") async throws -> HTTPDownload {
        try await client.download(HTTPRequest(url: origin.url(path)), to: folder.path(name))
    }

    @Test func wholeBodyIsInTheFileAndNothingElseIsLeft() async throws {
        let body = RangedFile.sample(3_000_000)
        origin.on("/a", .respond(headers: [("Content-Type", "x/y"), ("ETag", "\"v1\"")], body: body))
        let download = try await download("/a")
        #expect(folder.bytes("a") == body)
        #expect(folder.names == ["a"])
        #expect(download.byteCount == body.count)
        #expect(download.status == 200 && !download.isResumed)
        #expect(download.path == folder.path("a"))
        #expect(download.url == origin.url("/a"))
        #expect(download.headerFields["Content-Type"] == "x/y")
    }

    @Test func emptyBodyMakesAnEmptyFile() async throws {
        origin.on("/a", .respond())
        #expect(try await download("/a").byteCount == 0)
        #expect(folder.bytes("a") == [])
    }

    @Test func redirectsAreFollowed() async throws {
        origin.on("/a", .redirect(to: "/b"))
        origin.on("/b", .respond(body: [1]))
        #expect(try await download("/a").url == origin.url("/b"))
    }

    @Test func bodyIsAskedForUncodedAndStoredAsItComes() async throws {
        origin.on("/a", .respond(headers: [("Content-Encoding", "gzip")], body: Samples.gzipOfHello))
        let download = try await download("/a")
        #expect(origin.requests("/a").first?.header("Accept-Encoding") == "identity")
        #expect(folder.bytes("a") == Samples.gzipOfHello)
        #expect(download.headerFields["Content-Encoding"] == "gzip")
    }

    @Test func progressGrowsFromNothingToTheWhole() async throws {
        origin.on("/a", .respond(body: RangedFile.sample(3_000_000)))
        var seen: [HTTPProgress] = []
        _ = try await client.download(HTTPRequest(url: origin.url("/a")), to: folder.path("a")) {
            seen.append($0)
        }
        #expect(seen.first == HTTPProgress(received: 0, total: 3_000_000))
        #expect(seen.last == HTTPProgress(received: 3_000_000, total: 3_000_000))
        #expect(seen.last?.fraction == 1)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.received <= $1.received })
    }

    @Test func totalOfABodyWithoutLengthIsKnownAtItsEnd() async throws {
        let file = RangedFile(body: [1, 2, 3], piece: 3, tellsLength: false)
        origin.on("/a", file.behaviour)
        var seen: [HTTPProgress] = []
        _ = try await client.download(HTTPRequest(url: origin.url("/a")), to: folder.path("a")) {
            seen.append($0)
        }
        #expect(seen.first == HTTPProgress(received: 0))
        #expect(seen.first?.fraction == nil)
        #expect(seen.last == HTTPProgress(received: 3, total: 3))
    }

    @Test(arguments: [201, 204, 206, 304, 404, 416, 500])
    func anyOtherStatusLeavesTheOldFile(status: Int) async throws {
        folder.write([9], to: "a")
        origin.on("/a", .respond(status: status, body: status == 204 || status == 304 ? [] : [1]))
        await #expect(throws: HTTPClient.Error.unsuccessful(status: status)) { try await download("/a") }
        #expect(folder.names == ["a"])
        #expect(folder.bytes("a") == [9])
    }

    @Test func bodyBeyondTheLimitLeavesNoFile() async throws {
        origin.on("/a", .endlessBody)
        let request = HTTPRequest(url: origin.url("/a"), maximumBodySize: 1 << 20)
        await #expect(throws: HTTPClient.Error.tooLarge(.body, limit: 1 << 20)) {
            try await client.download(request, to: folder.path("a"))
        }
        #expect(folder.names == [])
    }

    @Test func requestsThatMakeNoSenseAreRefusedAndNotSent() async throws {
        let url = origin.url("/a")
        for request in [
            HTTPRequest(method: "HEAD", url: url), HTTPRequest(url: url, headerFields: ["range": "bytes=1-"]),
            HTTPRequest(url: url, headerFields: ["If-Range": "\"v1\""]),
        ] {
            let error = await #expect(throws: HTTPClient.Error.self) {
                _ = try await client.download(request, to: folder.path("a"))
            }
            guard case .invalidRequest = error else { return #expect(error == nil) }
        }
        #expect(origin.log.acceptedConnections == 0)
        #expect(folder.names == [])
    }

    @Test func cancellationRemovesThePartAndKeepsTheOldFile() async throws {
        folder.write([9], to: "a")
        origin.on("/a", .stalledBody(length: 100, sent: [1]))
        let hasBegun = State(false)
        let task = Task { [client, origin, folder] in
            let request = HTTPRequest(url: origin.url("/a"))
            return try await client.download(request, to: folder.path("a")) { _ in hasBegun.set(true) }
        }
        for await isUnderWay in hasBegun where isUnderWay { break }
        let part = try #require(folder.names.first { $0 != "a" })
        #expect(part.hasPrefix(".a.") && part.hasSuffix(".part"))
        #expect(folder.mode(part) == 0o600)
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        #expect(folder.names == ["a"])
        #expect(folder.bytes("a") == [9])
        await origin.until { $0.abandoned["/a"] == 1 }
    }

    @Test func cancellationOfAWholeBodyKeepsTheOldFileToo() async throws {
        folder.write([9], to: "a")
        origin.on("/a", .respond(body: [1]))
        let task = Task { [client, origin, folder] in
            let request = HTTPRequest(url: origin.url("/a"))
            return try await client.download(request, to: folder.path("a")) { progress in
                if progress.received == 1 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        #expect(folder.names == ["a"])
        #expect(folder.bytes("a") == [9])
    }

    @Test func cancellationWhileWaitingToAskAgainRemovesThePart() async throws {
        origin.on("/a", RangedFile(body: RangedFile.sample(10), piece: 1).behaviour)
        let task = Task { [client, origin, folder] in
            try await client.download(HTTPRequest(url: origin.url("/a")), to: folder.path("a"))
        }
        // The third is asked for after a pause.
        await origin.until { $0.requestCounts["/a"] == 2 }
        task.cancel()
        await #expect(throws: HTTPClient.Error.cancelled) { try await task.value }
        #expect(folder.names == [])
    }

    @Test func twoDownloadsToOnePathDoNotMix() async throws {
        let bodies = [RangedFile.sample(1_000_000), [UInt8](repeating: 7, count: 1_000_000)]
        origin.on("/0", .respond(body: bodies[0]))
        origin.on("/1", .respond(body: bodies[1]))
        async let first = download("/0")
        async let second = download("/1")
        _ = try await (first, second)
        #expect(folder.names == ["a"])
        #expect(bodies.contains(folder.bytes("a") ?? []))
    }

    @Test func plainThreadDownloadsToo() async throws {
        origin.on("/a", .respond(body: [1, 2]))
        let outcome = OneShot<HTTPDownload>()
        let reports = Lock<[HTTPProgress]>([])
        let isStarted = SystemThread.start(name: "legacy") { [client, origin, folder] in
            outcome.resolve(
                Result {
                    let request = HTTPRequest(url: origin.url("/a"))
                    return try client.blocking.download(request, to: folder.path("a")) { progress in
                        reports.withLock { $0.append(progress) }
                    }
                }
            )
        }
        #expect(isStarted)
        #expect(try await outcome.value().byteCount == 2)
        #expect(folder.bytes("a") == [1, 2])
        #expect(reports.withLock { $0.last } == HTTPProgress(received: 2, total: 2))
    }

    /// In a process of its own, because nobody else gets a thread of the shared pool meanwhile.
    @Test func slowDiskHoldsTheServerBack() async {
        await #expect(processExitsWith: .success) {
            let (origin, folder) = (try HTTPOrigin(), Folder())
            origin.on("/a", .endlessBody)
            let hasBegun = State(false)
            let task = Task {
                let request = HTTPRequest(url: origin.url("/a"), maximumBodySize: .max)
                return try await HTTPClient.shared.download(request, to: folder.path("a")) { _ in
                    hasBegun.set(true)
                }
            }
            for await isUnderWay in hasBegun where isUnderWay { break }
            let disk = DispatchSemaphore(value: 0)
            let blockers = (0..<64).map { _ in Task { try await ThreadPool.shared.run { disk.wait() } } }
            let isFull = await eventually { ThreadPool.shared.queuedCount == 1 }
            precondition(isFull, "the pool has a thread left")
            var poured = -1
            while poured != origin.log.poured {
                poured = origin.log.poured
                try await Task.sleep(for: .milliseconds(100))
            }
            for _ in 0..<64 { disk.signal() }
            let goal = poured + (16 << 20)
            await origin.until { $0.poured > goal }
            task.cancel()
            _ = await task.result
            for blocker in blockers { try await blocker.value }
            precondition(folder.names == [], "a part is left")
        }
    }
}
