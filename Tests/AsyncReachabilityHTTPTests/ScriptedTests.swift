import AsyncHTTP
import AsyncReachability
import Testing

@testable import AsyncReachabilityHTTP

/// Verdicts about answers that a test writes, for what a server on loopback can't do.
@Suite(.timeLimit(.minutes(1)))
struct ScriptedTests {
    private let transport = ScriptedTransport()
    private let route = NetworkRoute(mode: .wifi, interface: "wlan0", localAddress: "192.0.2.7")

    private func verdict(
        _ urls: String...,
        bindsToInterface: Bool = true,
        allowsPrivateAddresses: Bool = false
    ) async throws -> ProbeVerdict {
        let probe = try HTTPProbe(
            urls: urls,
            bindsToInterface: bindsToInterface,
            allowsPrivateAddresses: allowsPrivateAddresses,
            makeTransport: { [transport] in transport }
        )
        return await probe.validate(over: route)
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255",
        "169.254.1.1", "127.0.0.1", "127.255.255.255", "::1", "fe80::1", "febf::1", "fc00::1", "fdff::1",
        "::ffff:10.0.0.1",
    ])
    func anAnswerFromAPrivateAddressIsAPortal(address: String) async throws {
        let url = "http://probe.example.org/"
        for status in [204, 404] {
            transport.on(url, status: status, remoteAddress: address)
            #expect(try await verdict(url) == .portal)
        }
        transport.on(url, status: 204, remoteAddress: address)
        #expect(try await verdict(url, allowsPrivateAddresses: true) == .validated)
        transport.on(url, status: 302, remoteAddress: address)
        #expect(try await verdict(url, allowsPrivateAddresses: true) == .portal)
    }

    @Test(arguments: [
        "192.0.2.1", "9.255.255.255", "11.0.0.0", "172.15.0.1", "172.32.0.1", "192.167.1.1", "192.169.1.1",
        "100.63.0.1", "100.128.0.1", "169.253.1.1", "128.0.0.1", "2001:db8::1", "fec0::1", "fe00::1",
        "::ffff:192.0.2.1", "::2",
    ])
    func anAnswerFromAPublicAddressCounts(address: String) async throws {
        transport.on("http://probe.example.org/", status: 204, remoteAddress: address)
        #expect(try await verdict("http://probe.example.org/") == .validated)
    }

    @Test(arguments: [
        "http://10.0.0.1/", "http://192.168.1.1:8080/a", "http://[fd00::1]/", "http://[::1]:81/",
        "http://127.0.0.1/", "http://localhost/", "http://probe.localhost/",
    ])
    func aURLThatNamesAPrivateAddressMayBeAnsweredFromThere(url: String) async throws {
        transport.on(url, status: 204, remoteAddress: "10.0.0.1")
        #expect(try await verdict(url) == .validated)
    }

    @Test(arguments: ["http://192.0.2.1/", "http://10.0.0.1.example.org/", "http://notlocalhost/"])
    func anyOtherURLMayNot(url: String) async throws {
        transport.on(url, status: 204, remoteAddress: "10.0.0.1")
        #expect(try await verdict(url) == .portal)
    }

    @Test func urlsAreAskedInTurnUntilOneValidates() async throws {
        let (good, portal, bad) = ("http://good.test/", "http://portal.test/", "http://bad.test/")
        transport.on(good, status: 204)
        transport.on(portal, status: 302)
        transport.on(bad, status: 500)
        #expect(try await verdict(good, portal) == .validated)
        #expect(transport.requests.map(\.url) == [good])
        #expect(try await verdict(portal, bad, good) == .validated)
        #expect(try await verdict(portal, bad) == .portal)
        #expect(try await verdict(bad, portal) == .portal)
        #expect(try await verdict(bad, "http://refused.test/") == .failed)
    }

    @Test func requestsAreBoundToTheInterfaceOfTheRouteUnlessToldOtherwise() async throws {
        transport.on("http://a.test/", status: 204)
        _ = try await verdict("http://a.test/")
        _ = try await verdict("http://a.test/", bindsToInterface: false)
        #expect(transport.requests.map(\.interface) == ["wlan0", nil])
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ProbeErrorTests {
    private func error(_ urls: [String], _ expectation: HTTPProbe.Expectation = .noContent) -> HTTPProbe
        .Error?
    {
        do throws(HTTPProbe.Error) {
            _ = try HTTPProbe(urls: urls, expecting: expectation)
            return nil
        } catch {
            return error
        }
    }

    @Test func badURLsAreRefused() {
        #expect(error([]) == .noURL)
        #expect(error(["http://a/"]) == nil)
        for url in ["", "a", "/a", "http://", "http://a b/", "http://a:b/"] {
            #expect(error(["http://a/", url]) == .invalidURL(url))
        }
        for url in ["https://a/", "HTTPS://a/", "ftp://a/"] { #expect(error([url]) == .notHTTP(url)) }
    }

    @Test func userInfoIsRefusedAndNeverShown() {
        #expect(error(["http://me:secret@a/b?c"]) == .userInfo("…@a/b…"))
        #expect(error(["https://me:secret@a/?token=d"]) == .notHTTP("…@a/…"))
        #expect(error(["http://me:secret@/"]) == .invalidURL("…@/"))
    }

    @Test func expectationsThatSayNothingOrTooMuchAreRefused() {
        let longest = String(repeating: "a", count: 64 * 1024)
        #expect(error(["http://a/"], .body(prefix: longest)) == nil)
        for expectation in [
            HTTPProbe.Expectation.body(prefix: ""), .body(prefix: longest + "a"),
            .header(name: "", value: "a"),
        ] {
            guard case .invalidExpectation = error(["http://a/"], expectation) else {
                Issue.record("An expectation was taken that can't be used.")
                continue
            }
        }
    }

    @Test(arguments: [
        HTTPProbe.Error.noURL, .invalidURL("a"), .notHTTP("https://a/"), .userInfo("a"),
        .invalidExpectation("a"),
    ])
    func eachErrorIsOnePlainSentence(error: HTTPProbe.Error) {
        #expect(error.description.hasSuffix("."))
        #expect(error.description.first?.isUppercase == true)
        #expect(!error.description.contains("\n"))
    }
}
