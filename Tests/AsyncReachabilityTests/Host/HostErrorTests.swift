import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct HostErrorTests {
    static let texts: [(String, Host.Error)] = [
        ("", .empty),
        (String(repeating: "a", count: 8193), .tooLong(limit: 8192)),
        ("https://x.org/" + String(repeating: "a", count: 8192), .tooLong(limit: 8192)),
        ("file:///etc/hosts", .noHost), ("https://", .noHost), ("https:///x", .noHost),
        ("https://:80", .noHost),
        ("https://me:pw@/x", .noHost), ("https://.", .noHost), (":80", .noHost), (".", .noHost),
        ("mailto:a@b", .noHost), ("example.com/path", .noHost), ("//x.org/", .noHost),
        ("http:/x.org", .noHost),
        ("me@x.org", .noHost), ("git@x.org:a/b.git", .noHost), ("x.org?q", .noHost), ("x.org#f", .noHost),
        ("://x.org", .badScheme), ("1http://x.org", .badScheme), ("ht tp://x.org", .badScheme),
        (" https://x.org", .badScheme), ("ht\u{fc}p://x.org", .badScheme), ("ht_p://x.org", .badScheme),
        ("https://a@b@x.org", .badUserInfo), ("https://a b@x.org", .badUserInfo),
        ("https://a%4@x.org", .badUserInfo),
        ("https://x.com\\@y.org", .badUserInfo), ("https://a\0@x.org", .badUserInfo),
        ("https://a%@x.org", .badUserInfo),
        ("x.org:", .badPort), ("x.org:65536", .badPort), ("x.org:-1", .badPort), ("x.org:+1", .badPort),
        ("x.org:http", .badPort), ("x.org:8 0", .badPort), ("x.org:80\n", .badPort),
        ("x.org:000080", .badPort),
        ("x.org:99999999999999999999", .badPort), ("x.org:\u{ff18}\u{ff10}", .badPort), ("[::1]:", .badPort),
        ("https://x.org:99999/", .badPort), ("https://[::1]:x/", .badPort), ("javascript:alert(1)", .badPort),
        ("https://::1/", .badAddress("::1")), ("https://2001:db8::1:80/", .badAddress("2001:db8::1:80")),
        ("[::1", .badAddress("[::1")), ("[::1]80", .badAddress("[::1]80")),
        ("[192.0.2.1]", .badAddress("192.0.2.1")),
        ("[]", .badAddress("")), ("[x.org]", .badAddress("x.org")), ("[v1.a]", .badAddress("v1.a")),
        ("1::2::3", .badAddress("1::2::3")), (":::", .badAddress(":::")), ("::1]:80", .badAddress("::1]:80")),
        ("12345::", .badAddress("12345::")), ("1:2:3:4:5:6:7:8:9", .badAddress("1:2:3:4:5:6:7:8:9")),
        ("::1.2.3", .badAddress("::1.2.3")), ("::ffff:010.0.0.1", .badAddress("::ffff:010.0.0.1")),
        ("::1\0", .badAddress("::1\\0")), (" ::1", .badAddress(" ::1")),
        ("[::1\n]", .badAddress("::1\\n")),
        ("fe80::1%", .badZone("")), ("https://[fe80::1%25]", .badZone("")), ("fe80::1%0", .badZone("0")),
        ("fe80::1%..", .badZone("..")), ("fe80::1%a b", .badZone("a b")), ("fe80::1%a%b", .badZone("a%b")),
        ("fe80::1%eth0\0", .badZone("eth0\\0")),
        ("fe80::1%sixteen-letters-", .badZone("sixteen-letters-")),
        ("fe80::1%\u{e9}", .badZone("\u{e9}")),
        ("2001:db8::1%eth0", .zoneNotAllowed("2001:db8::1")), ("::1%lo", .zoneNotAllowed("::1")),
        ("[::ffff:192.0.2.1%eth0]", .zoneNotAllowed("::ffff:192.0.2.1")),
        ("ff0e::1%1", .zoneNotAllowed("ff0e::1")),
        ("169.254.0.1%eth0", .zoneNotAllowed("169.254.0.1")), ("https://fec0::1", .badAddress("fec0::1")),
        (" x.org", .badLabel(" x")), ("x.org ", .badLabel("org ")), ("x.org\n", .badLabel("org\\n")),
        ("x\0.org", .badLabel("x\\0")), ("x..org", .badLabel("")), (".x.org", .badLabel("")),
        ("x.org..", .badLabel("")), ("-x.org", .badLabel("-x")), ("x-.org", .badLabel("x-")),
        ("-", .badLabel("-")),
        ("x,y", .badLabel("x,y")), ("a*b", .badLabel("a*b")), ("x\\y.org", .badLabel("x\\y")),
        ("https://x.com\\.y.org/", .badLabel("com\\")), ("https://x y/", .badLabel("x y")),
        (HostTests.longLabel + "a", .badLabel(HostTests.longLabel + "a")),
        (String(repeating: "a", count: 250), .badLabel(String(repeating: "a", count: 64) + "…")),
        (HostTests.longName + "b", .nameTooLong(limit: 253)),
        (String(repeating: "a.", count: 4000), .nameTooLong(limit: 253)),
        ("1.2.3", .numericName("1.2.3")), ("0", .numericName("0")), ("0x7f.1", .numericName("0x7f.1")),
        ("010.0.0.1", .numericName("010.0.0.1")), ("256.1.1.1", .numericName("256.1.1.1")),
        ("1.2.3.4.5", .numericName("1.2.3.4.5")), ("x.123", .numericName("x.123")),
        ("x.0X1f", .numericName("x.0X1f")),
        ("192.0.2.1.", .numericName("192.0.2.1")), ("0x", .numericName("0x")),
        ("2130706433:80", .numericName("2130706433")),
        ("https://0x7f000001/", .numericName("0x7f000001")), ("0x7F.0.0.1", .numericName("0x7F.0.0.1")),
        ("ex%61mple.com", .percentEncoded("ex%61mple.com")), ("https://x%2eorg/", .percentEncoded("x%2eorg")),
        ("https://x.org/a b", .badPath), ("https://x.org/\r\nX:y", .badPath), ("https://x.org/?%", .badPath),
        ("https://x.org/#%zz", .badPath), ("https://x.org/<a>", .badPath),
        ("https://x.org\t", .badLabel("org\\t")),
        ("https://x.org/\0", .badPath), ("https://x.org/a\\b", .badPath), ("https://x.org/\u{7f}", .badPath),
    ]

    // A loop, as some texts are long and some hold control characters, which have no place in a test's name.
    @Test func badTextIsRefusedForItsBadPart() {
        for (text, error) in Self.texts {
            #expect(throws: error, "\(text.prefix(80).debugDescription)") { try Host(text) }
        }
    }

    @Test(arguments: [
        "https://secret:secret word@x.org/", "https://secret:sec#ret@x.org/", "https://secret:sec/ret@x.org/",
        "https://secret:12345678/9@x.org/", "https://-secret/x@x.org", "https://secret.123/@x.org",
        "https://secret,?x@x.org", "https://sec%41ret/@x.org", "https://[secret]/x@x.org",
        "https://[::1%secret]/@",
        "https://[fe80::1%secret secret]/@x", "https://::secret/@x", "https://sécret\u{ad}secret/@x",
        "secret:secret@x.org",
        "https://s@secret@x.org", "https://secret:secret", "https://me:secret%40x.org",
        "secret://secret@x.org:y",
        "secret secret@://x.org", "https://x.org/secret secret", "https://secret:\0secret@x.org",
    ])
    func noErrorShowsUserInfo(text: String) throws {
        let error = try #require(throws: Host.Error.self) { try Host(text) }
        #expect(!"\(error)\(String(reflecting: error))".contains("secret"))
        #expect(!"\(error)".contains("12345"))
    }

    @Test func textThatWouldPlayWithTheScreenIsEscaped() throws {
        let error = try #require(throws: Host.Error.self) { try Host("a\u{1b}[2J\u{202e}") }
        #expect(error == .badLabel("a\\u{1B}[2J\\u{202E}"))
    }

    @Test(arguments: Set(texts.map(\.1)) + [.internationalNameUnsupported("a"), .badInternationalName("a")])
    func everyErrorIsOneShortSentence(error: Host.Error) {
        let text = "\(error)"
        #expect(text.first?.isUppercase == true && text.hasSuffix("."))
        #expect(text.count < 200)
        #expect(!text.contains("\n"))
    }
}
