import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct ProxyRulesTests {
    private func proxy(for url: String, _ environment: [String: String]) throws -> String? {
        try ProxyRules(environment: { environment[$0] }).choice(for: WebURL(url))?.url
    }

    @Test func eachSchemeHasItsVariable() throws {
        let environment = ["http_proxy": "a", "https_proxy": "b"]
        #expect(try proxy(for: "http://example.org/", environment) == "a")
        #expect(try proxy(for: "https://example.org/", environment) == "b")
        #expect(try proxy(for: "https://example.org/", ["HTTPS_PROXY": "c"]) == "c")
        #expect(try proxy(for: "http://example.org/", ["all_proxy": "d"]) == "d")
        #expect(try proxy(for: "https://example.org/", ["ALL_PROXY": "e", "https_proxy": ""]) == "e")
        #expect(try proxy(for: "https://example.org/", [:]) == nil)
    }

    @Test func aVariableThatACGIClientCanSetIsNotRead() throws {
        #expect(try proxy(for: "http://example.org/", ["HTTP_PROXY": "a"]) == nil)
    }

    @Test(arguments: ["http://localhost/", "http://a.localhost/", "http://127.1.2.3/", "http://[::1]:80/"])
    func thisMachineIsAskedDirectly(url: String) throws {
        #expect(try proxy(for: url, ["http_proxy": "a"]) == nil)
    }

    @Test(arguments: ["http://128.0.0.1/", "http://localhost.example.org/", "http://[::2]/"])
    func othersAreNotTakenForThisMachine(url: String) throws {
        #expect(try proxy(for: url, ["http_proxy": "a"]) == "a")
    }

    @Test func exceptionsAreLeftToLibcurl() throws {
        let rules = ProxyRules(environment: { ["http_proxy": "a", "NO_PROXY": "x,y"][$0] })
        #expect(try rules.choice(for: WebURL("http://example.org/"))?.exceptions == "x,y")
    }

    @Test(arguments: [("x.org", true), ("a.x.org", true), ("ax.org", false), ("y", true), ("x.org.z", false)])
    func hostsThatAreNamedAndThoseBelowThemAreAskedDirectly(host: String, isException: Bool) throws {
        let rules = ProxyRules(environment: { ["http_proxy": "a", "no_proxy": "X.org, .y 10.0.0.0/8"][$0] })
        #expect(try (rules.choice(for: WebURL("http://\(host)/")) == nil) == isException)
        let all = ProxyRules(environment: { ["http_proxy": "a", "no_proxy": "*"][$0] })
        #expect(try all.choice(for: WebURL("http://\(host)/")) == nil)
    }

    @Test func namedProxiesHoldForAllHostsAndNoneForNone() throws {
        var configuration = HTTPClient.Configuration()
        configuration.proxy = .url("http://me:secret@p:1")
        let choice = try ProxyRules.of(configuration).choice(for: WebURL("https://localhost/"))
        #expect(choice?.url == "http://me:secret@p:1")
        #expect(choice?.host == "p:1")
        configuration.proxy = .none
        #expect(try ProxyRules.of(configuration).choice(for: WebURL("http://example.org/")) == nil)
    }

    @Test(arguments: [("a:1", "a:1"), ("socks5h://u@[::1]:2/x", "[::1]:2"), ("http://me:pa/ss?@c:3", "c:3")])
    func errorsNameTheProxysHostAlone(url: String, host: String) {
        #expect(ProxyRules.Choice(url: url, exceptions: "").host == host)
    }
}
