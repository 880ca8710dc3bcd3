import AsyncHTTP
import AsyncPrimitives
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct OnceTests {
    private let url = "http://pictures.test/a.png"

    @Test func aThousandCallersAreOneRequestAndOneDecode() async throws {
        let fixture = StoreFixture()
        let picture = try Pictures.png()
        let images = try await withThrowingTaskGroup(of: Image.self) { group in
            for _ in 0..<1000 { group.addTask { try await fixture.store.image(for: url) } }
            while await fixture.store.waiterCount(for: url) < 1000 { await Task.yield() }
            await fixture.transport.next().answer(picture)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(images.count == 1000)
        #expect(fixture.transport.requestCount == 1)
        #expect(fixture.codec.count == 1)
        #expect(await fixture.store.isIdle)
    }

    @Test func theSecondCallIsAnsweredFromMemory() async throws {
        let fixture = StoreFixture()
        let image = try await fixture.load(url)
        #expect(try await fixture.store.image(for: url) == image)
        #expect(fixture.store.cachedImage(for: url) == image)
        #expect(fixture.transport.requestCount == 1)
        #expect(fixture.codec.count == 1)
    }

    @Test func aCancelledCallerLeavesTheOthersAlone() async throws {
        let fixture = StoreFixture()
        let leaving = await fixture.ask(url)
        let staying = await fixture.ask(url)
        let exchange = await fixture.transport.next()
        leaving.cancel()
        #expect(await leaving.value.error == .cancelled)
        #expect(exchange.answer(try Pictures.png()))
        #expect(await staying.value.image != nil)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func theLastCallerOutEndsTheTransfer() async throws {
        let fixture = StoreFixture()
        let tasks = [await fixture.ask(url), await fixture.ask(url)]
        let exchange = await fixture.transport.next()
        for task in tasks {
            task.cancel()
            #expect(await task.value.error == .cancelled)
        }
        while await !fixture.store.isIdle { await Task.yield() }
        #expect(!exchange.answer(try Pictures.png()))
        #expect(fixture.store.cachedImage(for: url) == nil)
    }

    @Test func whoComesAfterEverybodyLeftGetsItsOwnBytes() async throws {
        let fixture = StoreFixture()
        let first = await fixture.ask(url)
        let old = await fixture.transport.next()
        first.cancel()
        let second = await fixture.ask(url)
        let new = await fixture.transport.next()
        old.answer(try Pictures.png(Pictures.blue))
        new.answer(try Pictures.png(Pictures.red))
        #expect(await second.value.image?[0, 0] == Pictures.red)
        #expect(fixture.store.cachedImage(for: url)?[0, 0] == Pictures.red)
        #expect(fixture.transport.requestCount == 2)
    }

    @Test func aCallerCancelledBeforehandThrowsWithoutARequest() async {
        let fixture = StoreFixture()
        let task = Task { () async throws(ImageStore.Error) -> Image in
            while !Task.isCancelled { await Task.yield() }
            return try await fixture.store.image(for: url)
        }
        task.cancel()
        await #expect(throws: ImageStore.Error.cancelled) { try await task.value }
        #expect(fixture.transport.requestCount == 0)
    }

    @Test func aFailureIsToldToEveryCallerOnce() async {
        let fixture = StoreFixture()
        var tasks: [Task<Result<Image, ImageStore.Error>, Never>] = []
        for _ in 0..<20 { tasks.append(await fixture.ask(url)) }
        await fixture.transport.next().fail(.truncatedBody)
        for task in tasks { #expect(await task.value.error == .transport(.truncatedBody)) }
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func whatIsAskedForInsideAFailureEventIsRequestedAnew() async throws {
        let fixture = StoreFixture()
        let events = fixture.store.events
        let first = await fixture.ask(url)
        await fixture.transport.next().fail(.unreachable(host: "pictures.test:80"))
        #expect(await first.value.error != nil)
        for await event in events {
            #expect(event == .failed(url: url, .transport(.unreachable(host: "pictures.test:80"))))
            break
        }
        #expect(try await fixture.load(url)[0, 0] == Pictures.red)
        #expect(fixture.transport.requestCount == 2)
    }

    @Test func differentURLsAreDifferentDownloads() async throws {
        let fixture = StoreFixture()
        let other = url + "?size=2"
        _ = try await fixture.load(url, Pictures.red)
        _ = try await fixture.load(other, Pictures.blue)
        #expect(fixture.store.cachedImage(for: url)?[0, 0] == Pictures.red)
        #expect(fixture.store.cachedImage(for: other)?[0, 0] == Pictures.blue)
    }

    @Test func noMoreDownloadsRunAtATimeThanAllowed() async throws {
        let fixture = StoreFixture { $0.maximumDownloads = 2 }
        let tasks = [await fixture.ask("1"), await fixture.ask("2"), await fixture.ask("3")]
        let first = await fixture.transport.next()
        _ = await fixture.transport.next()
        #expect(fixture.transport.requestCount == 2)
        first.answer(try Pictures.png())
        _ = await fixture.transport.next()
        #expect(fixture.transport.requestCount == 3)
        for task in tasks { task.cancel() }
    }

    @Test func aDownloadThatNeverGetsItsTurnTimesOut() async {
        let fixture = StoreFixture {
            $0.maximumDownloads = 1
            $0.timeout = .milliseconds(50)
        }
        let first = await fixture.ask("1")
        _ = await fixture.transport.next()
        let second = await fixture.ask("2")
        #expect(await second.value.error == .transport(.timedOut(.total, after: .milliseconds(50))))
        first.cancel()
    }

    @Test func noMoreDecodesRunAtATimeThanAllowed() async throws {
        let door = ThreadSemaphore()
        let fixture = StoreFixture(codec: CountingCodec { door.wait() }) { $0.decodingThreads = 1 }
        let tasks = [await fixture.ask("1"), await fixture.ask("2")]
        for _ in tasks { await fixture.transport.next().answer(try Pictures.png()) }
        while fixture.codec.count == 0 { await Task.yield() }
        for _ in 0..<1000 { await Task.yield() }
        #expect(fixture.codec.count == 1)
        for _ in tasks { door.signal() }
        for task in tasks { #expect(await task.value.image != nil) }
    }

    @Test func decodingNeverHoldsUpAThreadOfTheCooperativePool() async throws {
        let decoded = ThreadSemaphore()
        let fixture = StoreFixture(codec: CountingCodec { decoded.wait() }) {
            $0.decodingThreads = 8
            $0.maximumDownloads = 8
        }
        var tasks: [Task<Result<Image, ImageStore.Error>, Never>] = []
        for number in 0..<8 {
            tasks.append(await fixture.ask("\(number)"))
            await fixture.transport.next().answer(try Pictures.png())
        }
        while fixture.codec.count < 8 { await Task.yield() }
        // All eight decodes block now; a task that needs the pool still runs and lets them go.
        await Task.detached { for _ in 0..<8 { decoded.signal() } }.value
        for task in tasks { #expect(await task.value.image != nil) }
    }
}
