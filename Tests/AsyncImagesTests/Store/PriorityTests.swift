import AsyncHTTP
import AsyncPrimitives
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct PriorityTests {
    @Test func aLaterAndMoreUrgentCallerMovesADownloadUp() async throws {
        let fixture = StoreFixture { $0.maximumDownloads = 1 }
        let png = try Pictures.png(Pictures.red)
        let first = await fixture.ask("first")
        let running = await fixture.transport.next()
        let patient = ["b", "c"].map { url in
            Task.detached(priority: .background) { try? await fixture.store.image(for: url) }
        }
        while await fixture.store.waiters.count < 3 { await Task.yield() }
        while fixture.store.loader.waitingCount < 2 { await Task.yield() }
        let urgent = Task.detached(priority: .high) { try? await fixture.store.image(for: "c") }
        while await fixture.store.waiterCount(for: "c") < 2 { await Task.yield() }
        running.answer(png)
        let next = await fixture.transport.next()
        #expect(next.request.url == "c")
        next.answer(png)
        await fixture.transport.next().answer(png)
        #expect(await urgent.value != nil)
        for task in patient { #expect(await task.value != nil) }
        _ = await first.value
    }
}
