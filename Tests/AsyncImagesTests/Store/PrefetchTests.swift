import AsyncHTTP
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct PrefetchTests {
    private let fixture = StoreFixture()

    @Test func prefetchedPicturesAreThereWithoutARequest() async throws {
        let events = fixture.store.events
        await fixture.store.prefetch(["a", "b"])
        for _ in 0..<2 { await fixture.transport.next().answer(try Pictures.png()) }
        var left: Set<ImageStore.Event> = [.downloaded(url: "a"), .downloaded(url: "b")]
        for await event in events {
            left.remove(event)
            if left.isEmpty { break }
        }
        #expect(fixture.store.cachedImage(for: "a") != nil)
        _ = try await fixture.store.image(for: "b")
        #expect(fixture.transport.requestCount == 2)
    }

    @Test func onlyTwoRunAtATimeInTheOrderGiven() async throws {
        await fixture.store.prefetch(["a", "b", "c"])
        let first = [await fixture.transport.next(), await fixture.transport.next()]
        #expect(Set(first.map(\.request.url)) == ["a", "b"])
        #expect(fixture.transport.requestCount == 2)
        first[0].answer(try Pictures.png())
        #expect(await fixture.transport.next().request.url == "c")
        await fixture.store.cancelAllDownloads()
    }

    @Test func aCallerJoinsAPrefetchUnderWay() async throws {
        await fixture.store.prefetch(["a"])
        let exchange = await fixture.transport.next()
        let task = await fixture.ask("a")
        exchange.answer(try Pictures.png())
        #expect(await task.value.image != nil)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func whatIsKnownOrWaitsAlreadyIsNotRequestedAgain() async throws {
        _ = try await fixture.load("a")
        _ = await fixture.fail("b", status: 404)
        await fixture.store.prefetch(["a", "b", "c", "c", "c"])
        await fixture.transport.next().answer(try Pictures.png())
        while fixture.store.cachedImage(for: "c") == nil { await Task.yield() }
        while await !fixture.store.isIdle { await Task.yield() }
        #expect(fixture.transport.requestCount == 3)
    }

    @Test func cancellingDropsWhatWaits() async throws {
        await fixture.store.prefetch(["a", "b", "c", "d"])
        let exchanges = [await fixture.transport.next(), await fixture.transport.next()]
        await fixture.store.cancelDownload(for: "c")
        exchanges[0].answer(try Pictures.png())
        #expect(await fixture.transport.next().request.url == "d")
        await fixture.store.cancelAllDownloads()
        while await !fixture.store.isIdle { await Task.yield() }
        #expect(fixture.transport.requestCount("c") == 0)
    }

    @Test func onlySoManyWait() async {
        let fixture = StoreFixture { $0.maximumPrefetchQueue = 3 }
        await fixture.store.prefetch((0..<100).map { "\($0)" })
        for _ in 0..<3 { await fixture.transport.next().answer(status: 404) }
        while await !fixture.store.isIdle { await Task.yield() }
        #expect(fixture.transport.requestCount == 3)
    }

    @Test func theQueueKeepsItsOrderWhileItGrowsAndShrinks() {
        var configuration = ImageStore.Configuration()
        configuration.maximumPrefetches = 1
        var queue = Prefetching(configuration)
        var (added, taken) = (0, 0)
        for round in 0..<500 {
            for _ in 0...round % 3 {
                #expect(queue.add(ImageRequest("\(added)")) == (added == 0))
                added += 1
            }
            for _ in 0..<round % 4 where taken < added - 1 {
                #expect(queue.take()?.url == "\(taken)")
                taken += 1
            }
        }
        queue.remove("\(taken)")
        #expect(queue.take()?.url == "\(taken + 1)")
    }
}
