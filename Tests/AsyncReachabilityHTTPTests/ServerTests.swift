import AsyncHTTP
import AsyncReachability
import AsyncReachabilityHTTP
import Support
import Testing

/// Verdicts about a real server, which answers as portals and networks do.
@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    private let origin: HTTPOrigin
    private let route = NetworkRoute(mode: .wired, interface: "lo", localAddress: "127.0.0.1")

    init() throws {
        origin = try HTTPOrigin()
    }

    private func verdict(
        _ behaviour: HTTPOrigin.Behaviour,
        expecting expectation: HTTPProbe.Expectation = .noContent,
        timeout: Duration = .seconds(20)
    ) async throws -> ProbeVerdict {
        origin.on("/probe", behaviour)
        let probe = try HTTPProbe(url: origin.url("/probe"), expecting: expectation, timeout: timeout)
        return await probe.validate(over: route)
    }

    @Test func noContentIs204OrAnEmpty200() async throws {
        #expect(try await verdict(.respond(status: 204)) == .validated)
        #expect(try await verdict(.respond(status: 200)) == .validated)
        #expect(try await verdict(.respond(status: 200, body: [1])) == .portal)
        #expect(try await verdict(.raw(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))) == .validated)
    }

    @Test func aBodyMustBeginAsExpected() async throws {
        let expectation = HTTPProbe.Expectation.body(prefix: "This is it")
        for (status, text, verdict) in [
            (200, "This is it", ProbeVerdict.validated), (200, "This is it.\n", .validated),
            (200, "", .portal),
            (200, "This is", .portal), (200, "<html>This is it", .portal), (203, "This is it", .portal),
        ] {
            let answer = HTTPOrigin.Behaviour.respond(status: status, body: Array(text.utf8))
            #expect(try await self.verdict(answer, expecting: expectation) == verdict, "\(status) \(text)")
        }
        #expect(try await verdict(.respond(status: 204), expecting: expectation) == .portal)
    }

    @Test func aHeaderFieldMustHaveItsValue() async throws {
        let expectation = HTTPProbe.Expectation.header(name: "x-status", value: "online")
        let online = HTTPOrigin.Behaviour.respond(headers: [("X-Status", "online")], body: [1, 2, 3])
        let other = HTTPOrigin.Behaviour.respond(headers: [("X-Status", "online?")])
        #expect(try await verdict(online, expecting: expectation) == .validated)
        #expect(try await verdict(other, expecting: expectation) == .portal)
        #expect(try await verdict(.respond(), expecting: expectation) == .portal)
        let lost = HTTPOrigin.Behaviour.respond(status: 404, headers: [("X-Status", "online")])
        #expect(try await verdict(lost, expecting: expectation) == .failed)
    }

    @Test(arguments: [300, 301, 302, 303, 304, 307, 308])
    func everyRedirectIsAPortalAndNotFollowed(status: Int) async throws {
        origin.on("/good", .respond(status: 204))
        #expect(try await verdict(.redirect(to: "/good", status: status)) == .portal)
        #expect(try await verdict(.respond(status: status)) == .portal)
        #expect(try await verdict(.redirect(to: "portal:login", status: status)) == .portal)
        #expect(origin.requestCount("/good") == 0)
    }

    @Test func networkAuthenticationRequiredIsAPortal() async throws {
        #expect(try await verdict(.respond(status: 511, body: Array("<html>".utf8))) == .portal)
    }

    @Test(arguments: [400, 403, 404, 500, 502, 503, 599])
    func anotherErrorOfTheServerIsAFailure(status: Int) async throws {
        #expect(try await verdict(.respond(status: status)) == .failed)
        let long = [UInt8](repeating: 0x20, count: 100_000)
        #expect(try await verdict(.respond(status: status, body: long)) == .failed)
    }

    @Test func aBodyWithoutEndIsAPortal() async throws {
        #expect(try await verdict(.endlessBody) == .portal)
        let expectation = HTTPProbe.Expectation.body(prefix: "\0")
        #expect(try await verdict(.endlessBody, expecting: expectation) == .portal)
        await origin.until { $0.abandoned["/probe"] == 2 }
    }

    @Test func aBodyUpToTheLimitIsRead() async throws {
        let expectation = HTTPProbe.Expectation.body(prefix: "aa")
        let body = [UInt8](repeating: UInt8(ascii: "a"), count: 64 * 1024)
        #expect(try await verdict(.respond(body: body), expecting: expectation) == .validated)
        #expect(try await verdict(.respond(body: body + [0]), expecting: expectation) == .portal)
    }

    @Test(.timeLimit(.minutes(1)))
    func aSilentServerIsAFailureWhenTheTimeIsOver() async throws {
        let start = ContinuousClock.now
        #expect(try await verdict(.stalled, timeout: .milliseconds(50)) == .failed)
        #expect(start.duration(to: .now) >= .milliseconds(50))
    }

    @Test func brokenAnswersAreFailures() async throws {
        for answer in [
            HTTPOrigin.Behaviour.hangUp, .reset, .raw(Array("hello\r\n\r\n".utf8)), .headerBomb,
        ] {
            #expect(try await verdict(answer) == .failed)
        }
        let expectation = HTTPProbe.Expectation.body(prefix: "a")
        let short = HTTPOrigin.Behaviour.shortBody(length: 9, sent: Array("abc".utf8))
        #expect(try await verdict(short, expecting: expectation) == .failed)
    }

    @Test func aPortThatRefusesIsAFailure() async throws {
        let silent = try SilentPort.refusing()
        #expect(try await HTTPProbe(url: silent.url).validate(over: route) == .failed)
    }

    @Test func aNameWithoutAddressIsAFailure() async throws {
        let probe = try HTTPProbe(url: "http://no.such.name.invalid/")
        #expect(await probe.validate(over: route) == .failed)
    }

    @Test func anInterfaceThatIsGoneIsAFailure() async throws {
        origin.on("/probe", .respond(status: 204))
        let gone = NetworkRoute(mode: .wired, interface: "missing0", localAddress: "127.0.0.1")
        let url = origin.url("/probe")
        #expect(try await HTTPProbe(url: url).validate(over: gone) == .failed)
        #expect(try await HTTPProbe(url: url, bindsToInterface: false).validate(over: gone) == .validated)
    }

    @Test func cancellationEndsACallAtOnce() async throws {
        origin.on("/probe", .stalled)
        let probe = try HTTPProbe(urls: [origin.url("/probe"), origin.url("/other")], timeout: .seconds(600))
        let task = Task { await probe.validate(over: route) }
        await origin.until { $0.requestCounts["/probe"] == 1 }
        task.cancel()
        #expect(await task.value == .failed)
        await origin.until { $0.abandoned["/probe"] == 1 }
        #expect(origin.requestCount("/other") == 0)
    }

    @Test func eachCallHasAConnectionOfItsOwnAndLeavesNone() async throws {
        origin.on("/probe", .respond(status: 204))
        let probe = try HTTPProbe(url: origin.url("/probe"))
        for _ in 0..<3 { #expect(await probe.validate(over: route) == .validated) }
        #expect(origin.log.acceptedConnections == 3)
        await origin.until { $0.openConnections == 0 }
        let request = try #require(origin.requests("/probe").first)
        #expect(request.method == "GET")
        #expect(request.header("Cache-Control") == "no-cache")
        #expect(request.header("Connection") == "close")
    }
}
