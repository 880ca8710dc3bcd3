import AsyncHTTP
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct EventTests {
    private let fixture = StoreFixture()

    @Test func eachOutcomeIsToldOnceAndInOrder() async throws {
        let events = fixture.store.events
        _ = try await fixture.load("a")
        _ = try await fixture.store.image(for: "a")
        _ = await fixture.fail("b", status: 404)
        _ = await fixture.fail("c", status: 500, fallback: try Pictures.solid(Pictures.blue))
        let task = await fixture.ask("d")
        task.cancel()
        _ = await task.value
        _ = await fixture.ask("e")
        await fixture.store.cancelDownload(for: "e")
        let expected: [ImageStore.Event] = [
            .downloaded(url: "a"), .failed(url: "b", .status(404)), .fellBack(url: "c", .status(500)),
            .cancelled(url: "d"), .cancelled(url: "e"),
        ]
        #expect(await first(expected.count, of: events) == expected)
    }

    @Test func whatAnEventSpeaksOfIsTrueByThen() async throws {
        let events = fixture.store.events
        let store = fixture.store
        let watcher = Task {
            for await event in events where event == .downloaded(url: "a") {
                return store.cachedImage(for: "a") != nil
            }
            return false
        }
        _ = try await fixture.load("a")
        #expect(await watcher.value)
    }

    @Test func aFallbackThatIsNotKeptIsToldAsAFailure() async throws {
        let events = fixture.store.events
        let task = await fixture.ask("a", fallback: try Pictures.solid(Pictures.blue))
        await fixture.transport.next().fail(.refused(host: "a:80"))
        _ = await task.value
        #expect(await first(1, of: events) == [.failed(url: "a", .transport(.refused(host: "a:80")))])
    }

    @Test func aDownloadThatWasClearedMeanwhileTellsNoEvent() async throws {
        let events = fixture.store.events
        let task = await fixture.ask("a")
        let exchange = await fixture.transport.next()
        await fixture.store.clearCache(for: "a")
        exchange.answer(try Pictures.png())
        _ = await task.value
        _ = try await fixture.load("b")
        #expect(await first(1, of: events) == [.downloaded(url: "b")])
    }

    @Test func everySubscriberGetsEveryEvent() async throws {
        let streams = [fixture.store.events, fixture.store.events]
        _ = try await fixture.load("a")
        for stream in streams { #expect(await first(1, of: stream) == [.downloaded(url: "a")]) }
    }

    @Test func theStreamEndsWithTheStore() async throws {
        let events: AsyncStream<ImageStore.Event>
        do {
            let store = ImageStore(transport: InstantTransport(png: try Pictures.png()))
            events = store.events
            _ = try await store.image(for: "a")
        }
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 1)
    }

    private func first(_ count: Int, of events: AsyncStream<ImageStore.Event>) async -> [ImageStore.Event] {
        var received: [ImageStore.Event] = []
        for await event in events {
            received.append(event)
            if received.count == count { break }
        }
        return received
    }
}
