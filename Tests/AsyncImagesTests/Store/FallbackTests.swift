import AsyncHTTP
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct FallbackTests {
    private let fixture = StoreFixture()

    @Test func theFallbackComesInPlaceOfAFailureAndIsMarked() async throws {
        let fallback = try Pictures.solid(Pictures.blue)
        let image = try #require(await fixture.fail("a", status: 404, fallback: fallback).image)
        #expect(image.isFallback)
        #expect(!fallback.isFallback)
        #expect(image[0, 0] == Pictures.blue)
    }

    @Test func aRememberedFallbackIsServedWithoutARequestAndEndsInTime() async throws {
        _ = await fixture.fail("a", status: 404, fallback: try Pictures.solid(Pictures.blue))
        #expect(fixture.store.cachedImage(for: "a")?.isFallback == true)
        #expect(try await fixture.store.image(for: "a").isFallback)
        #expect(fixture.transport.requestCount == 1)
        fixture.clock.advance(by: .seconds(600))
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(try await fixture.load("a").isFallback == false)
    }

    @Test func aFailureWithoutFallbackHasNoCachedImage() async {
        _ = await fixture.fail("a", status: 404)
        #expect(fixture.store.cachedImage(for: "a") == nil)
    }

    @Test func whoBringsAFallbackToARememberedFailureGetsItAndLeavesIt() async throws {
        _ = await fixture.fail("a", status: 404)
        let fallback = try Pictures.solid(Pictures.blue)
        #expect(try await fixture.store.image(for: "a", fallback: fallback)[0, 0] == Pictures.blue)
        #expect(fixture.store.cachedImage(for: "a")?[0, 0] == Pictures.blue)
        #expect(try await fixture.store.image(for: "a").isFallback)
        fixture.clock.advance(by: .seconds(600))
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func eachCallerGetsItsOwnFallbackAndTheOthersTheLastOne() async throws {
        let without = await fixture.ask("a")
        let blue = await fixture.ask("a", fallback: try Pictures.solid(Pictures.blue))
        let red = await fixture.ask("a", fallback: try Pictures.solid(Pictures.red))
        await fixture.transport.next().answer(status: 500)
        #expect(await blue.value.image?[0, 0] == Pictures.blue)
        #expect(await red.value.image?[0, 0] == Pictures.red)
        #expect(await without.value.image?[0, 0] == Pictures.red)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func withoutAnAnswerOnlyWhoBroughtAFallbackGetsIt() async throws {
        let without = await fixture.ask("a")
        let with = await fixture.ask("a", fallback: try Pictures.solid(Pictures.blue))
        await fixture.transport.next().fail(.refused(host: "a:80"))
        #expect(await with.value.image?.isFallback == true)
        #expect(await without.value.error == .transport(.refused(host: "a:80")))
        #expect(fixture.store.cachedImage(for: "a") == nil)
    }

    @Test func aCancelledCallerGetsNoFallback() async throws {
        let task = await fixture.ask("a", fallback: try Pictures.solid(Pictures.blue))
        task.cancel()
        #expect(await task.value.error == .cancelled)
        let other = await fixture.ask("b", fallback: try Pictures.solid(Pictures.blue))
        await fixture.store.cancelDownload(for: "b")
        #expect(await other.value.error == .cancelled)
        #expect(fixture.store.cachedImage(for: "b") == nil)
    }

    @Test func aPictureIsNeverReplacedByAFallback() async throws {
        _ = try await fixture.load("a")
        let image = try await fixture.store.image(for: "a", fallback: Pictures.solid(Pictures.blue))
        #expect(image[0, 0] == Pictures.red)
        #expect(!image.isFallback)
    }

    @Test func clearingForgetsTheFallback() async throws {
        _ = await fixture.fail("a", status: 404, fallback: try Pictures.solid(Pictures.blue))
        await fixture.store.clearCache(for: "a")
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(await fixture.fail("a", status: 404).error == .status(404))
    }
}
