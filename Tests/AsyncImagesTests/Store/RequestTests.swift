import AsyncHTTP
import AsyncPrimitives
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    private func ask(_ fixture: StoreFixture, _ request: ImageRequest) -> Task<ImageResponse?, Never> {
        Task.immediate { try? await fixture.store.response(for: request) }
    }

    private func request(_ url: String, _ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(url)
        change(&request)
        return request
    }

    @Test func twoSizesOfOnePictureAreOneDownload() async throws {
        let fixture = StoreFixture()
        let large = ask(fixture, request("a"))
        let small = ask(fixture, request("a") { $0.target = ImageTarget(width: 1, height: 1) })
        while await fixture.store.waiterCount(for: "a") < 2 { await Task.yield() }
        await fixture.transport.next().answer(try Pictures.png(Pictures.red))
        #expect(await large.value?.image != nil)
        #expect(await small.value?.image.width == 1)
        #expect(fixture.transport.requestCount == 1)
        #expect(fixture.codec.count == 2)
    }

    @Test func cancellingOneSizeLeavesTheOther() async throws {
        let fixture = StoreFixture()
        let large = ask(fixture, request("a"))
        let small = ask(fixture, request("a") { $0.target = ImageTarget(width: 1, height: 1) })
        let exchange = await fixture.transport.next()
        large.cancel()
        #expect(await large.value == nil)
        exchange.answer(try Pictures.png(Pictures.red))
        #expect(await small.value?.image.width == 1)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func aSizeAskedForAfterAClearIsDownloadedAfresh() async throws {
        let fixture = StoreFixture()
        let old = ask(fixture, request("a"))
        let first = await fixture.transport.next()
        await fixture.store.clearCache(for: "a")
        let new = ask(fixture, request("a") { $0.target = ImageTarget(width: 1, height: 1) })
        let second = await fixture.transport.next()
        first.answer(try Pictures.png(Pictures.red))
        second.answer(try Pictures.png(Pictures.blue))
        #expect(await old.value?.image[0, 0] == Pictures.red)
        #expect(await new.value?.image[0, 0] == Pictures.blue)
        #expect(fixture.store.cachedImage(for: "a") == nil)
    }

    @Test func clearingForgetsEverySize() async throws {
        let fixture = StoreFixture()
        let target = ImageTarget(width: 1, height: 1)
        _ = try await fixture.load("a")
        let small = ask(fixture, request("a") { $0.target = target })
        await fixture.transport.next().answer(try Pictures.png(Pictures.red))
        _ = await small.value
        await fixture.store.clearCache(for: "a")
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(fixture.store.cachedImage(for: request("a") { $0.target = target }) == nil)
    }

    @Test func theFragmentIsIgnoredAndTheQueryIsNot() {
        #expect(request("http://h/a#x").source == request("http://h/a#y").source)
        #expect(request("http://h/a?x").source != request("http://h/a?y").source)
        #expect(request("http://h/a").source != request("https://h/a").source)
    }

    @Test func signedURLsShareAPictureByTheirKey() async throws {
        let fixture = StoreFixture()
        let first = ask(fixture, request("a?signature=1") { $0.key = "a" })
        await fixture.transport.next().answer(try Pictures.png(Pictures.red))
        #expect(await first.value?.origin == .network)
        let second = ask(fixture, request("a?signature=2") { $0.key = "a" })
        #expect(await second.value?.origin == .memory)
    }

    @Test func headerFieldsAreSentAndTellPicturesApart() async throws {
        let fixture = StoreFixture()
        let mine = request("a") { $0.headerFields = ["Authorization": "mine"] }
        let yours = request("a") { $0.headerFields = ["Authorization": "yours"] }
        let first = ask(fixture, mine)
        let exchange = await fixture.transport.next()
        #expect(exchange.request.headerFields["Authorization"] == "mine")
        exchange.answer(try Pictures.png(Pictures.red))
        _ = await first.value
        #expect(fixture.store.cachedImage(for: mine) != nil)
        #expect(fixture.store.cachedImage(for: yours) == nil)
        #expect(fixture.store.cachedImage(for: "a") == nil)
    }

    @Test func noTwoRequestsForDifferentThingsShareASource() {
        let parts = ["", "a", "b", "ab", "a:b", "\u{1}"]
        var sources: Set<String> = []
        var count = 0
        for url in parts {
            for name in parts {
                for value in parts {
                    sources.insert(
                        request(url) { $0.headerFields = HTTPFields([.init(name: name, value: value)]) }
                            .source
                    )
                    count += 1
                }
            }
            sources.insert(request(url).source)
            sources.insert(request("x") { $0.key = url }.source)
            count += 2
        }
        #expect(sources.count == count)
    }

    @Test func reloadAsksEvenWhenThePictureIsThere() async throws {
        let fixture = StoreFixture()
        _ = try await fixture.load("a")
        let again = ask(fixture, request("a") { $0.cachePolicy = .reload })
        await fixture.transport.next().answer(try Pictures.png(Pictures.blue))
        #expect(await again.value?.origin == .network)
        #expect(fixture.store.cachedImage(for: "a")?[0, 0] == Pictures.blue)
    }

    @Test func reloadAsksEvenWhenAFailureIsRemembered() async throws {
        let fixture = StoreFixture()
        _ = await fixture.fail("a", status: 404)
        let again = ask(fixture, request("a") { $0.cachePolicy = .reload })
        await fixture.transport.next().answer(try Pictures.png(Pictures.red))
        #expect(await again.value?.image != nil)
        #expect(fixture.store.cachedImage(for: "a") != nil)
    }

    @Test func cacheOnlyMakesNoRequest() async throws {
        let fixture = StoreFixture()
        let only = request("a") { $0.cachePolicy = .cacheOnly }
        await #expect(throws: ImageStore.Error.notCached) { try await fixture.store.image(for: only) }
        _ = try await fixture.load("a")
        #expect(try await fixture.store.response(for: only).origin == .memory)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func whatIsNotToBeStoredIsNotKept() async throws {
        let fixture = StoreFixture()
        let passing = ask(fixture, request("a") { $0.cachePolicy = .noStore })
        await fixture.transport.next().answer(try Pictures.png(Pictures.red))
        #expect(await passing.value?.image != nil)
        #expect(fixture.store.cachedImage(for: "a") == nil)
        let failing = ask(fixture, request("a") { $0.cachePolicy = .noStore })
        await fixture.transport.next().answer(status: 404)
        #expect(await failing.value == nil)
        _ = try await fixture.load("a")
    }

    @Test func theConfigurationChoosesAFallbackByCause() async throws {
        let gone = try Image(width: 1, height: 1) { _, _ in Pictures.blue }
        let fixture = StoreFixture { $0.fallbackImage = { $0 == .status(404) ? gone : nil } }
        let missing = try await fixture.fail("a", status: 404).get()
        #expect(missing.isFallback && missing[0, 0] == Pictures.blue)
        #expect(fixture.store.cachedImage(for: "a")?.isFallback == true)
        #expect(await fixture.fail("b", status: 500).error == .status(500))
    }

    @Test func aResponseExplainsItself() async throws {
        let fixture = StoreFixture()
        let file = try Pictures.png(Pictures.red)
        let first = ask(fixture, request("a"))
        await fixture.transport.next().answer(file)
        let fresh = await first.value
        #expect(fresh?.origin == .network && fresh?.cacheStatus == "AsyncKit; fwd=miss")
        #expect(fresh?.file == .init(status: 200, format: .png, byteCount: file.count, age: .zero))
        let again = await ask(fixture, request("a")).value
        #expect(again?.origin == .memory && again?.cacheStatus == "AsyncKit; hit")
        let stand = try Image(width: 1, height: 1) { _, _ in Pictures.red }
        let failed = ask(fixture, request("b") { $0.fallback = stand })
        await fixture.transport.next().answer(status: 410)
        let fallback = await failed.value
        #expect(fallback?.origin == .fallback && fallback?.failure == .status(410) && fallback?.file == nil)
    }

    @Test func genericTypesPassOnlyWhenSniffingIsAllowed() async throws {
        let file = try Pictures.png(Pictures.red)
        for type in [nil, "application/octet-stream", "binary/octet-stream; x=y"] {
            let strict = StoreFixture()
            let refused = await strict.ask("a")
            await strict.transport.next().answer(file, type: type)
            #expect(await refused.value.error == .contentType(type))
            let sniffing = StoreFixture { $0.contentTypes = .sniffing }
            let taken = await sniffing.ask("a")
            await sniffing.transport.next().answer(file, type: type)
            #expect(await taken.value.image != nil)
        }
    }

    @Test func htmlIsNeverAPicture() async throws {
        let fixture = StoreFixture { $0.contentTypes = .sniffing }
        let task = await fixture.ask("a")
        await fixture.transport.next().answer(try Pictures.png(Pictures.red), type: "text/html")
        #expect(await task.value.error == .contentType("text/html"))
    }
}
