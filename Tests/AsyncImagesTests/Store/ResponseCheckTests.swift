import AsyncHTTP
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct ResponseCheckTests {
    @Test(arguments: ["image/png", "IMAGE/PNG", "image/png; charset=x", " image/png\t;q=1", "image/x-png"])
    func aPictureOfTheTypeItSaysIsAccepted(type: String) async throws {
        #expect(await outcome(type: type, body: try Pictures.png()).image != nil)
    }

    @Test(arguments: [201, 202, 203, 204, 206, 300, 400, 403, 404, 410, 429, 500, 503])
    func anyOtherStatusThan200IsRefusedEvenWithAPicture(status: Int) async throws {
        #expect(await outcome(status: status, body: try Pictures.png()).error == .status(status))
    }

    @Test func anAnswerToAQuestionThatWasNotAskedIsAskedAgainOnce() async throws {
        let fixture = StoreFixture()
        let task = await fixture.ask("a")
        await fixture.transport.next().answer(status: 304)
        let second = await fixture.transport.next()
        #expect(second.request.headerFields["Cache-Control"] == "no-cache")
        second.answer(status: 304)
        #expect(await task.value.error == .status(304))
    }

    @Test(arguments: [
        nil, "", "text/html", "application/octet-stream", "image", "imagepng", "image/png, text/html",
    ])
    func anythingButOneImageTypeIsRefusedEvenWithAPicture(type: String?) async throws {
        #expect(await outcome(type: type, body: try Pictures.png()).error == .contentType(type))
    }

    @Test func anEmptyBodyIsRefused() async {
        #expect(await outcome(body: []).error == .emptyBody)
    }

    @Test(arguments: ["image/png", "image/webp", "image/"])
    func aPictureOfAnotherFormatThanItSaysIsRefused(type: String) async throws {
        let result = await outcome(type: type, body: try Pictures.jpeg())
        #expect(result.error == .mismatch(contentType: type, found: .jpeg))
    }

    @Test func bytesOfNoKnownFormatAreRefused() async {
        #expect(await outcome(body: Array("<html>".utf8)).error == .undecodable(.unrecognized))
    }

    @Test func brokenBytesAreRefused() async throws {
        let result = await outcome(body: try Pictures.png().dropLast())
        #expect(result.error == .undecodable(.damaged(.png, reason: "ends before its end mark")))
    }

    @Test func aPictureAboveTheLimitsIsRefused() async throws {
        let result = await outcome(body: try Pictures.png(width: 11, height: 9)) {
            $0.limits.maximumWidth = 10
        }
        #expect(result.error == .undecodable(.tooLarge(width: 11, height: 9)))
    }

    @Test func aRefusedAnswerLeavesNoPictureBehind() async throws {
        let fixture = StoreFixture()
        let task = await fixture.ask("a")
        await fixture.transport.next().answer(try Pictures.png(), status: 404)
        #expect(await task.value.error == .status(404))
        #expect(fixture.store.cachedImage(for: "a") == nil)
        #expect(fixture.codec.count == 0)
    }

    @Test func theRequestNamesTypesTimeAndSize() async {
        let fixture = StoreFixture {
            $0.timeout = .seconds(7)
            $0.maximumBodySize = 1234
        }
        let task = await fixture.ask("a")
        let exchange = await fixture.transport.next()
        #expect(exchange.request.headerFields["Accept"] == "image/png, image/jpeg")
        #expect(exchange.request.timeout == .seconds(7))
        #expect(exchange.request.maximumBodySize == 1234)
        task.cancel()
    }

    private func outcome(
        status: Int = 200,
        type: String? = "image/png",
        body: some Sequence<UInt8>,
        configure: (inout ImageStore.Configuration) -> Void = { _ in }
    ) async -> Result<Image, ImageStore.Error> {
        let fixture = StoreFixture(configure)
        let task = await fixture.ask("a")
        await fixture.transport.next().answer(Array(body), status: status, type: type)
        return await task.value
    }
}
