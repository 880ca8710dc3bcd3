import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct InternationalNameTests {
    static let hasLibrary = IDNLibrary.system != nil

    @Test(
        .enabled(if: hasLibrary, "libidn2 is not installed"),
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example.", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"),
            ("https://me@Bücher.example:80/ü", "xn--bcher-kva.example"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("faß.de", "xn--fa-hia.de"), ("FASS.de", "fass.de"),
            ("_a.bücher.example", "_a.xn--bcher-kva.example"),
            ("ｅｘａｍｐｌｅ.com", "example.com"), ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
            ("xn--bcher-kva.bücher.example", "xn--bcher-kva.xn--bcher-kva.example"),
            ("نامه\u{200c}ای.com", "xn--mgba3gch31f060k.com"),
        ]
    )
    func internationalNameTurnsIntoASCII(text: String, ascii: String) throws {
        let host = try Host(text)
        #expect(host.description == ascii)
        #expect(try Host(ascii) == host)
        #expect(!host.isAddress)
    }

    static let refused: [(String, Host.Error)] = [
        // Characters whose mapping holds what separates the parts of a URL.
        ("a℀b.example", .badLabel("aa/cb")), ("x.org＠y", .badLabel("org@y")), ("x：80", .badLabel("x:80")),
        ("１２７.１", .numericName("127.1")), ("１９２.０.２.１", .numericName("192.0.2.1")),
        ("ü-.example", .badInternationalName("ü-.example")),
        ("☕.example", .badInternationalName("☕.example")),
        ("\u{301}a.example", .badInternationalName("\u{301}a.example")),
        ("ü\u{ad}.example", .badInternationalName("ü\\u{00AD}.example")),
        ("ü\u{3000}.example", .badInternationalName("ü\\u{3000}.example")),
        ("ü\u{202e}.example", .badInternationalName("ü\\u{202E}.example")),
        ("ü b.example", .badLabel("ü b")), ("ü\0.example", .badLabel("ü\\0")),
        (
            String(repeating: "ü", count: 64) + ".example",
            .badInternationalName(String(repeating: "ü", count: 64) + "…")
        ),
        (String(repeating: "ü", count: 1000), .nameTooLong(limit: 253)),
    ]

    @Test(.enabled(if: hasLibrary, "libidn2 is not installed"))
    func nameThatIDNADoesNotAllowIsRefused() {
        for (text, error) in Self.refused {
            #expect(throws: error, "\(text.prefix(80).debugDescription)") { try Host(text) }
        }
    }

    @Test func missingLibraryIsAnErrorForInternationalNamesAlone() throws {
        #expect(throws: Host.Error.internationalNameUnsupported("bücher.example")) {
            try Host("https://bücher.example/", idn: IDNLibrary(named: "libasynckit-missing.so.0"))
        }
        #expect(try Host("xn--bcher-kva.example", idn: nil).description == "xn--bcher-kva.example")
    }

    @Test func asciiNameDoesNotOpenTheLibrary() throws {
        var opened = 0
        func open() -> IDNLibrary? {
            opened += 1
            return nil
        }
        _ = try Host("https://example.com/ü", idn: open())
        _ = try Host("[::1]:80", idn: open())
        #expect(opened == 0)
        _ = try? Host("ü.example", idn: open())
        #expect(opened == 1)
    }

    @Test func libraryWithoutTheFunctionsIsNone() {
        #expect(IDNLibrary(named: "libm.so.6") == nil)
    }
}
