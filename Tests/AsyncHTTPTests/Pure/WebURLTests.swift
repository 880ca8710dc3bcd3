import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct WebURLTests {
    @Test func partsAreNormalised() throws {
        let url = try WebURL("HTTP://Example.ORG/a/../b c?q=ü#part")
        #expect(url.text == "http://example.org/b%20c?q=%c3%bc")
        #expect(url.authority == "example.org:80")
        #expect(url.origin == "http://example.org:80")
        #expect(try WebURL("https://[::1]:8443/").origin == "https://[::1]:8443")
        #expect(try WebURL("https://a").origin == "https://a:443")
    }

    @Test func userInfoIsTakenOutAndDecoded() throws {
        let url = try WebURL("http://me%40home:p%3Aw@a/x")
        #expect(url.text == "http://a/x")
        #expect(url.credentials == WebURL.Credentials(user: "me@home", password: "p:w"))
    }

    @Test(arguments: [
        "", "a/b", "/a", "//a/b", "http:", "http://", "http://a b/", "http://a:99999/", "http://a\0b/",
        "http://a/\r\nX: y", "http://user@", "example.org",
    ])
    func badURLsAreRefused(text: String) {
        #expect(throws: HTTPClient.Error.self) { try WebURL(text) }
    }

    @Test(arguments: ["ftp://a/b", "file:///etc/passwd", "javascript:alert(1)", "gopher://a"])
    func otherSchemesAreRefused(text: String) {
        #expect(throws: HTTPClient.Error.self) { try WebURL(text) }
    }

    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y", "http://a/b/c/g;x?y"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("#s", "http://a/b/c/d;p?q"), ("", "http://a/b/c/d;p?q"), ("g#s/../x", "http://a/b/c/g"),
    ])
    func referencesResolveAsInRFC3986(reference: String, target: String) throws {
        #expect(try WebURL("http://a/b/c/d;p?q").resolving(reference).text == target)
    }

    @Test func textsForErrorsHoldNoSecret() {
        #expect("http://me:pw@host/path?key=value#f".withoutSecrets == "…@host/path…")
        #expect("http://me:p?w@host/path".withoutSecrets == "…@host/path")
        #expect("http://host/path".withoutSecrets == "http://host/path")
        #expect("me:pw@".withoutSecrets == "…@")
    }
}
