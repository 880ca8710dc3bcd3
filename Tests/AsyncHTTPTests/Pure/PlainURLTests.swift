import Testing

@testable import AsyncHTTP

/// What is taken apart without libcurl's parser must come out as it does.
@Suite(.timeLimit(.minutes(1)))
struct PlainURLTests {
    private func isSeenAlike(_ text: String) -> Bool {
        guard let plain = PlainURL(text) else { return true }
        guard let parsed = try? WebURL(parsing: text) else { return false }
        return parsed.text == text && parsed.isSecure == plain.isSecure && parsed.host == plain.host
            && parsed.authority == "\(plain.host):\(plain.port)" && parsed.credentials == nil
    }

    @Test(arguments: [
        "http://a/", "https://example.org/a/b.png?size=2&kind=x", "http://127.0.0.1:8080/8k",
        "http://a.b-c.d:1/~x_y/",
        "https://a:443/", "http://a//b", "http://a/b,c+d?e=f/g",
    ])
    func usualOnesArePlain(text: String) {
        #expect(PlainURL(text) != nil)
        #expect(isSeenAlike(text))
    }

    @Test(arguments: [
        "", "http://", "http:///", "HTTP://a/", "http://A/", "ftp://a/", "http://a", "http://me@a/",
        "http://a/#f",
        "http://a/%41", "http://a/../b", "http://a/./b", "http://a/.b", "http://a/b c", "http://a/ü",
        "http://1.2.3/",
        "http://127.1/", "http://01.2.3.4/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://0x7f.1/",
        "http://1/",
        "http://a:/", "http://a:0/", "http://a:080/", "http://a:65536/", "http://a:8x/", "http://[::1]/",
        "http://-a/",
        "http://a\\b/", "http://a?b", "http://a/?", "http://a:80", "https//a/", "http://..../",
    ])
    func whatIsDoubtfulIsLeftToTheParser(text: String) {
        #expect(PlainURL(text) == nil)
    }

    @Test func randomOnesAreSeenAsTheParserSeesThem() {
        let pieces = [
            "a", "z9", "0", "1", "255", "256", "01", "x7f", ".", "..", "-", ":", "80", "/", "?", "=", "%2e",
            "@", "#", "A", " ",
        ]
        var generator = SystemRandomNumberGenerator()
        var plain = 0
        for _ in 0..<100_000 {
            let tail =
                ["", "a", "a/", "1.2.3.4/"][Int.random(in: 0..<4)]
                + (0..<Int.random(in: 1...9)).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            let text = (Bool.random() ? "http://" : "https://") + tail
            if PlainURL(text) != nil { plain += 1 }
            if !isSeenAlike(text) { Issue.record("\(text) is seen otherwise") }
        }
        #expect(plain > 1000)
    }
}
