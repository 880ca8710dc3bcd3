import AsyncHTTP
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
    @Test(arguments: [
        (404, 600), (410, 600), (500, 10), (503, 10), (429, 10), (408, 10), (403, 60), (206, 60), (302, 60),
    ])
    func aStatusIsRememberedForTheTimeOfItsCause(status: Int, seconds: Int) async {
        let fixture = StoreFixture()
        #expect(await fixture.fail("a", status: status).error == .status(status))
        fixture.clock.advance(by: .seconds(seconds) - .nanoseconds(1))
        await #expect(throws: ImageStore.Error.status(status)) { try await fixture.store.image(for: "a") }
        #expect(fixture.transport.requestCount == 1)
        fixture.clock.advance(by: .nanoseconds(1))
        #expect(await fixture.fail("a", status: status).error == .status(status))
        #expect(fixture.transport.requestCount == 2)
    }

    @Test func whatIsNoPictureIsRememberedForAMinute() async {
        let fixture = StoreFixture()
        let task = await fixture.ask("a")
        await fixture.transport.next().answer([1, 2, 3], type: "text/html")
        #expect(await task.value.error == .contentType("text/html"))
        fixture.clock.advance(by: .seconds(59))
        await #expect(throws: ImageStore.Error.contentType("text/html")) {
            try await fixture.store.image(for: "a")
        }
        fixture.clock.advance(by: .seconds(1))
        #expect(await fixture.fail("a", status: 404).error == .status(404))
    }

    @Test(arguments: [
        HTTPClient.Error.unreachable(host: "a"), .nameNotResolved(host: "a"), .refused(host: "a"),
        .timedOut(.total, after: .seconds(60)), .truncatedBody, .connectionLost(host: "a"), .cancelled,
        .closed,
    ])
    func aRequestWithoutAWholeAnswerIsNeverRemembered(error: HTTPClient.Error) async throws {
        let fixture = StoreFixture()
        let task = await fixture.ask("a")
        await fixture.transport.next().fail(error)
        #expect(await task.value.error == (error == .cancelled ? .cancelled : .transport(error)))
        #expect(try await fixture.load("a")[0, 0] == Pictures.red)
    }

    @Test func aBodyAboveTheLimitIsRemembered() async {
        let fixture = StoreFixture()
        let task = await fixture.ask("a")
        await fixture.transport.next().fail(.tooLarge(.body, limit: 10))
        #expect(await task.value.error == .transport(.tooLarge(.body, limit: 10)))
        await #expect(throws: ImageStore.Error.transport(.tooLarge(.body, limit: 10))) {
            try await fixture.store.image(for: "a")
        }
    }

    @Test func lifetimesCanBeSetAndZeroMeansNotAtAll() async throws {
        let fixture = StoreFixture {
            $0.failureLifetimes.gone = .seconds(1)
            $0.failureLifetimes.serverTrouble = .zero
        }
        #expect(await fixture.fail("gone", status: 404).error == .status(404))
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.load("gone")[0, 0] == Pictures.red)
        #expect(await fixture.fail("trouble", status: 500).error == .status(500))
        #expect(try await fixture.load("trouble")[0, 0] == Pictures.red)
    }

    @Test func clearingEndsARememberedFailure() async throws {
        let fixture = StoreFixture()
        #expect(await fixture.fail("a", status: 404).error == .status(404))
        await fixture.store.clearCache(for: "a")
        #expect(try await fixture.load("a")[0, 0] == Pictures.red)
        #expect(await fixture.fail("b", status: 404).error == .status(404))
        await fixture.store.clearAllCaches()
        #expect(try await fixture.load("b")[0, 0] == Pictures.red)
    }

    @Test func onlySoManyFailuresAreRemembered() async throws {
        let fixture = StoreFixture { $0.maximumFailures = 2 }
        for url in ["a", "b", "c"] { #expect(await fixture.fail(url, status: 404).error == .status(404)) }
        await #expect(throws: ImageStore.Error.status(404)) { try await fixture.store.image(for: "b") }
        await #expect(throws: ImageStore.Error.status(404)) { try await fixture.store.image(for: "c") }
        #expect(try await fixture.load("a")[0, 0] == Pictures.red)
    }

    @Test func aPictureThatComesLaterShowsWhenTheTimeIsOver() async throws {
        let fixture = StoreFixture()
        let fallback = try Pictures.solid(Pictures.blue)
        #expect(await fixture.fail("a", status: 404, fallback: fallback).image?.isFallback == true)
        fixture.clock.advance(by: .seconds(600))
        let image = try await fixture.load("a")
        #expect(!image.isFallback)
        #expect(fixture.store.cachedImage(for: "a") == image)
    }

    @Test func everyErrorSaysWhatToDo() {
        let errors: [ImageStore.Error] = [
            .cancelled, .transport(.truncatedBody), .status(404), .contentType(nil),
            .contentType("text/html"),
            .emptyBody, .mismatch(contentType: "image/png", found: .jpeg), .undecodable(.unrecognized),
            .undecodable(.damaged(.png, reason: "cut")), .unavailable(reason: "Full."),
        ]
        for error in errors { #expect(error.description.hasSuffix(".") && error.description.count > 20) }
    }
}
