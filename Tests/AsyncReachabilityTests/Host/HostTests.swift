import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct HostTests {
    static let longLabel = String(repeating: "a", count: 63)
    /// 253 bytes, which is the limit.
    static let longName = "\(longLabel).\(longLabel).\(longLabel)." + String(repeating: "b", count: 61)

    static let names: [(String, String)] = [
        ("example.com", "example.com"), ("localhost", "localhost"), ("a", "a"),
        ("x-1.example", "x-1.example"),
        ("EXAMPLE.Com", "example.com"), ("example.com.", "example.com"), ("3com.com", "3com.com"),
        ("_dmarc.example.com", "_dmarc.example.com"), ("my_host", "my_host"), ("1.2.3.x", "1.2.3.x"),
        ("XN--Bcher-KVA.example", "xn--bcher-kva.example"), ("a--b.example", "a--b.example"),
        ("example.com:443", "example.com"), ("example.com:0", "example.com"),
        ("example.com.:65535", "example.com"),
        ("localhost:00080", "localhost"), ("0x.example", "0x.example"), ("a.0xg", "a.0xg"),
        (longName, longName), (longName + ".", longName), (longName + ":80", longName),
    ]

    static let urls: [(String, String)] = [
        ("http://x.org", "x.org"), ("http://X.org/", "x.org"), ("https://x.org:443", "x.org"),
        ("https://x.org:/", "x.org"), ("https://x.org.", "x.org"), ("HTTP://x.org?q", "x.org"),
        ("https://x.org#part", "x.org"), ("https://x.org/a/b;c=1?d=%20&e=[f]#g?h", "x.org"),
        ("https://user:pw@Example.COM:8443/path?x#y", "example.com"), ("ssh://git@x.org/a.git", "x.org"),
        ("https://@x.org", "x.org"), ("https://a:b:c@x.org", "x.org"),
        ("https://me%40home:p%3Aw@x.org", "x.org"),
        ("https://x.org/@me", "x.org"), ("https://x.org/a:b://c", "x.org"), ("svn+ssh://x.org", "x.org"),
        ("https://x.org/ü?é#ß", "x.org"), ("file://server/share", "server"),
        ("http://127.0.0.1:80/", "127.0.0.1"),
        ("https://[2001:db8::1]", "2001:db8::1"), ("https://[2001:db8::1]:8443/a", "2001:db8::1"),
        ("https://me@[::1]:/", "::1"),
    ]

    static let addresses: [(String, String)] = [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("192.0.2.1:53", "192.0.2.1"), ("::", "::"), ("::1", "::1"), ("[::1]", "::1"), ("[::1]:443", "::1"),
        ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("2001:db8::0001", "2001:db8::1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
        ("[::FFFF:192.0.2.1]:80", "192.0.2.1"),
        ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"), ("fe80::1", "fe80::1"),
        ("ff02::fb%eth0", "ff02::fb%eth0"),
        ("fe80::1%eth0", "fe80::1%eth0"), ("[fe80::1%eth0]:22", "fe80::1%eth0"),
        ("FE80::1%ETH0", "fe80::1%ETH0"),
        ("fe80::1%2", "fe80::1%2"), ("fe80::1%25", "fe80::1%25"), ("fe80::1%eth0.100", "fe80::1%eth0.100"),
        ("https://[fe80::1%25eth0]/", "fe80::1%eth0"), ("https://[fe80::1%eth0]:1/", "fe80::1%eth0"),
        ("https://[febf::1%253]", "febf::1%3"), ("::1:443", "::0.1.4.67"),
    ]

    @Test(arguments: names + urls + addresses)
    func goodTextHasItsNormalForm(text: String, normal: String) throws {
        #expect(try Host(text).description == normal)
    }

    @Test(arguments: names + urls + addresses)
    func normalFormReadsBackAsAnEqualHost(text: String, normal: String) throws {
        let host = try Host(text)
        let again = try Host(host.description)
        #expect(again == host)
        #expect(again.hashValue == host.hashValue)
        #expect(again.description == host.description)
    }

    @Test func sameHostInEveryFormIsOneValue() throws {
        let texts = [
            "x.org", "X.ORG", "x.org.", "x.org:443", "http://x.org", "http://X.org/",
            "https://me:pw@x.org:8443/a?b#c",
        ]
        let hosts = try Set(texts.map { text in try Host(text) })
        #expect(hosts.count == 1)
    }

    @Test func otherHostsAreOtherValues() throws {
        let texts = [
            "x.org", "www.x.org", "192.0.2.1", "192.0.2.2", "fe80::1", "fe80::1%eth0", "fe80::1%eth1",
        ]
        let hosts = try Set(texts.map { text in try Host(text) })
        #expect(hosts.count == texts.count)
    }

    @Test func substringIsReadAsItsOwnText() throws {
        let text = "see https://Example.com/ there"
        let url = try #require(text.split(separator: " ").dropFirst().first)
        #expect(try Host(url).description == "example.com")
    }

    @Test(arguments: addresses)
    func addressNeedsNoName(text: String, normal: String) throws {
        #expect(try Host(text).isAddress)
        #expect(try !Host(text).isLoopbackName)
    }

    @Test(arguments: names + urls.filter { !$0.1.contains(":") && $0.1 != "127.0.0.1" })
    func nameIsNoAddress(text: String, normal: String) throws {
        #expect(try !Host(text).isAddress)
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST.", true), ("a.localhost:80", true), ("notlocalhost", false),
        ("localhost.example", false), ("127.0.0.1", false),
    ])
    func localhostAndWhatIsBelowItIsThisMachine(text: String, isLoopback: Bool) throws {
        #expect(try Host(text).isLoopbackName == isLoopback)
    }
}
