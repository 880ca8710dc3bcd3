import AsyncHTTP
import AsyncPrimitives
import Testing

@testable import AsyncImages

/// What a clear or a cancel means for downloads under way.
@Suite(.timeLimit(.minutes(2)))
struct OvertakingTests {
    private let fixture = StoreFixture()

    @Test func aDownloadClearedMeanwhileReachesItsCallersButNotTheCache() async throws {
        let task = await fixture.ask("a")
        let exchange = await fixture.transport.next()
        await fixture.store.clearCache(for: "a")
        exchange.answer(try Pictures.png())
        #expect(await task.value.image != nil)
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(await fixture.store.isIdle)
    }

    @Test func clearingAllMeansTheSameForEveryDownload() async throws {
        let tasks = [await fixture.ask("a"), await fixture.ask("b")]
        let exchanges = [await fixture.transport.next(), await fixture.transport.next()]
        await fixture.store.clearAllCaches()
        for exchange in exchanges { exchange.answer(try Pictures.png()) }
        for task in tasks { #expect(await task.value.image != nil) }
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(fixture.store.cachedImage(for: "b") == nil)
    }

    @Test func aCallAfterTheClearDownloadsAfresh() async throws {
        let before = await fixture.ask("a")
        let old = await fixture.transport.next()
        await fixture.store.clearCache(for: "a")
        let after = await fixture.ask("a")
        let new = await fixture.transport.next()
        new.answer(try Pictures.png(Pictures.red))
        #expect(await after.value.image?[0, 0] == Pictures.red)
        old.answer(try Pictures.png(Pictures.blue))
        #expect(await before.value.image?[0, 0] == Pictures.blue)
        #expect(fixture.store.cachedImage(for: "a")?[0, 0] == Pictures.red)
    }

    @Test func aFailureClearedMeanwhileIsNotRemembered() async throws {
        let task = await fixture.ask("a", fallback: try Pictures.solid(Pictures.blue))
        let exchange = await fixture.transport.next()
        await fixture.store.clearCache(for: "a")
        exchange.answer(status: 404)
        #expect(await task.value.image?.isFallback == true)
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(try await fixture.load("a")[0, 0] == Pictures.red)
    }

    @Test func clearingForgetsPicturesAndLeavesOthersAlone() async throws {
        _ = try await fixture.load("a")
        _ = try await fixture.load("b")
        await fixture.store.clearCache(for: "unknown")
        await fixture.store.clearCache(for: "a")
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(fixture.store.cachedImage(for: "b") != nil)
        await fixture.store.clearAllCaches()
        #expect(fixture.store.cachedImage(for: "b") == nil)
    }

    @Test func cancellingADownloadTellsEveryCallerAndKeepsTheCache() async throws {
        _ = try await fixture.load("kept")
        let tasks = [await fixture.ask("a"), await fixture.ask("a")]
        let other = await fixture.ask("b")
        let exchange = await fixture.transport.next()
        let otherExchange = await fixture.transport.next()
        await fixture.store.cancelDownload(for: "a")
        await fixture.store.cancelDownload(for: "unknown")
        for task in tasks { #expect(await task.value.error == .cancelled) }
        #expect(!exchange.answer(try Pictures.png()))
        #expect(fixture.store.cachedImage(for: "kept") != nil)
        otherExchange.answer(try Pictures.png())
        #expect(await other.value.image != nil)
    }

    @Test func cancellingAllEndsClearedDownloadsToo() async {
        let tasks = [await fixture.ask("a"), await fixture.ask("b")]
        _ = await fixture.transport.next()
        await fixture.store.clearCache(for: "a")
        await fixture.store.cancelAllDownloads()
        for task in tasks { #expect(await task.value.error == .cancelled) }
    }

    @Test func whatACancelledTransportStillDeliversIsDropped() async throws {
        let gate = Gate()
        let body = try Pictures.png()
        let store = ImageStore(transport: DeafTransport(gate: gate, body: body))
        let task = Task { try await store.image(for: "a") }
        while await store.waiterCount(for: "a") == 0 { await Task.yield() }
        await store.cancelDownload(for: "a")
        gate.open()
        await #expect(throws: ImageStore.Error.cancelled) { try await task.value }
        while await !store.isIdle { await Task.yield() }
        #expect(store.cachedImage(for: "a") == nil)
    }

    @Test func cancelAgainstFinishResumesEveryCallerOnceAndLeavesNothingBehind() async throws {
        let body = try Pictures.png()
        let store = ImageStore(transport: InstantTransport(png: body))
        for round in 0..<3000 {
            let tasks = (0..<3).map { _ in Task { try? await store.image(for: "a") } }
            if round % 3 == 0 { tasks[round % 2].cancel() }
            if round % 3 == 1 { await store.cancelDownload(for: "a") }
            for task in tasks { _ = await task.value }
            await store.clearCache(for: "a")
            #expect(store.cachedImage(for: "a") == nil)
        }
        while await !store.isIdle { await Task.yield() }
        #expect(try await store.image(for: "a")[0, 0] == Pictures.red)
    }

    @Test func aStoreThatIsReleasedWhileItDownloadsGoesAway() async throws {
        weak var released: ImageStore?
        do {
            let fixture = StoreFixture()
            released = fixture.store
            let task = await fixture.ask("a")
            _ = await fixture.transport.next()
            task.cancel()
            #expect(await task.value.error == .cancelled)
        }
        while released != nil { await Task.yield() }
    }
}

/// A transport that answers when it is told, whether or not anybody still wants to hear it.
private struct DeafTransport: HTTPTransport {
    let gate: Gate
    let body: [UInt8]

    func response(for request: HTTPRequest) async throws(HTTPClient.Error) -> HTTPResponse {
        await gate.wait()
        return HTTPResponse(
            status: 200,
            headerFields: ["Content-Type": "image/png"],
            url: request.url,
            body: HTTPBody(body)
        )
    }
}
