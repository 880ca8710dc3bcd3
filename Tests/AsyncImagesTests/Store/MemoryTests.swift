import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct MemoryTests {
    @Test func theLeastRecentlyUsedPictureGoesFirst() async throws {
        // Each picture takes 8 × 8 × 4 = 256 bytes.
        let fixture = StoreFixture { $0.maximumMemory = 2 * 256 }
        for url in ["a", "b"] { _ = try await fixture.load(url) }
        #expect(fixture.store.cachedImage(for: "a") != nil)
        _ = try await fixture.load("c")
        #expect(fixture.store.cachedImage(for: "b") == nil)
        #expect(fixture.store.cachedImage(for: "a") != nil)
        #expect(fixture.store.cachedImage(for: "c") != nil)
    }

    @Test func onlySoManyPicturesAreKept() async throws {
        let fixture = StoreFixture { $0.maximumPictures = 1 }
        for url in ["a", "b"] { _ = try await fixture.load(url) }
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(fixture.store.cachedImage(for: "b") != nil)
    }

    @Test func aPictureAboveTheLimitIsReturnedAndNotKept() async throws {
        let fixture = StoreFixture { $0.maximumMemory = 255 }
        #expect(try await fixture.load("a")[0, 0] == Pictures.red)
        #expect(fixture.store.cachedImage(for: "a") == nil)
    }

    @Test func anUnknownURLHasNoCachedImageAndStartsNothing() {
        let fixture = StoreFixture()
        for url in ["", "a", "http://pictures.test/"] { #expect(fixture.store.cachedImage(for: url) == nil) }
        #expect(fixture.transport.requestCount == 0)
    }

    @Test func limitsBelowTheSmallestUsefulValueCountAsIt() async throws {
        let fixture = StoreFixture {
            $0.maximumMemory = -1
            $0.maximumPictures = -1
            $0.maximumFailures = -1
            $0.maximumDownloads = 0
            $0.maximumPrefetches = 0
            $0.decodingThreads = 0
        }
        #expect(try await fixture.load("a")[0, 0] == Pictures.red)
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(await fixture.fail("a", status: 404).error == .status(404))
        #expect(await fixture.fail("a", status: 404).error == .status(404))
    }

    @Test func readersAndTheActorShareTheCacheWithoutARace() async throws {
        let store = ImageStore(transport: InstantTransport(png: try Pictures.png()))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for round in 0..<500 {
                        _ = store.cachedImage(for: "\(round % 7)")
                        _ = try? await store.image(for: "\((round + number) % 7)")
                        if round % 50 == number { await store.clearAllCaches() }
                    }
                }
            }
        }
        #expect(await store.isIdle)
    }
}
