import AsyncPrimitives
import Glibc
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct PressureTests {
    private struct Squeeze: MemoryPressureSource {
        let events = Events<Void>(capacity: 1)
        var pressures: AsyncStream<Void> { events.stream }
    }

    @Test func picturesLeaveMemoryWhenItIsShort() async throws {
        let squeeze = Squeeze()
        let fixture = StoreFixture { $0.memoryPressure = squeeze }
        _ = try await fixture.load("a")
        _ = await fixture.fail("b", status: 404)
        var events = fixture.store.events.makeAsyncIterator()
        squeeze.events.send(())
        #expect(await events.next() == .evicted(pictures: 1, bytes: 256))
        #expect(fixture.store.cachedImage(for: "a") == nil)
        await #expect(throws: ImageStore.Error.status(404)) { try await fixture.store.image(for: "b") }
    }

    @Test func aPictureUnderWayIsKeptAllTheSame() async throws {
        let fixture = StoreFixture { $0.memoryPressure = nil }
        let task = await fixture.ask("a")
        let exchange = await fixture.transport.next()
        fixture.store.clearMemory()
        exchange.answer(try Pictures.png(Pictures.red))
        _ = try await task.value.get()
        #expect(fixture.store.cachedImage(for: "a") != nil)
    }

    @Test func aReleasedStoreListensNoMore() async throws {
        let squeeze = Squeeze()
        do {
            _ = StoreFixture { $0.memoryPressure = squeeze }
        }
        while squeeze.events.subscriberCount > 0 { await Task.yield() }
    }

    @Test(
        .enabled(
            if: access("/proc/pressure/memory", R_OK) == 0,
            "The kernel has no pressure stall information."
        )
    )
    func theKernelTakesTheTrigger() throws {
        // One of the two will do: a container may hide the other.
        let triggers = PressureFile.candidates().compactMap(PressureFile.openTrigger)
        #expect(!triggers.isEmpty)
    }

    @Test func filesThatAreNotThereAreSilent() async {
        let source = PressureStallSource(files: ["/nonexistent/memory.pressure"])
        let waiting = Task {
            for await _ in source.pressures { return true }
            return false
        }
        waiting.cancel()
        #expect(await waiting.value == false)
    }
}
