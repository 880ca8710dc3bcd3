import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct IPAddressTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text: text)) }

    @Test(arguments: [
        ("192.0.2.1", [192, 0, 2, 1]), ("::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ("2001:db8::ff", [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff]),
    ])
    func textIsReadInNetworkOrder(text: String, bytes: [UInt8]) {
        #expect(IPAddress(text: text)?.bytes == bytes)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "010.0.0.1", "0x7f.0.0.1", "1.2.3.4.", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\0",
        "1.2.3.4\0x", "256.0.0.1",
        "::1%lo", "[::1]", "1::2::3", "::1.2.3", "::g", ":", "x", "1.2.3.4:80",
        String(repeating: "1", count: 10_000),
    ])
    func otherTextIsNoAddress(text: String) {
        #expect(IPAddress(text: text) == nil)
    }

    @Test func longestTextIsRead() {
        #expect(IPAddress(text: "1111:2222:3333:4444:5555:6666:255.255.255.255") != nil)
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "100.127.255.255",
        "169.254.1.1", "127.0.0.1",
        "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1",
    ])
    func privateAddress(text: String) throws {
        #expect(try address(text).isPrivate)
    }

    @Test(arguments: [
        "9.255.255.255", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "192.169.0.1", "100.63.0.1",
        "100.128.0.1",
        "169.253.0.1", "169.255.0.1", "8.8.8.8", "2001:db8::1", "fb00::1", "fe00::1", "fec0::1",
        "::ffff:8.8.8.8", "::", "0.0.0.0", "224.0.0.1", "240.0.0.1", "198.18.0.1",
    ])
    func publicAddress(text: String) throws {
        #expect(try !address(text).isPrivate)
    }

    @Test(arguments: [
        ("fe80::1", true), ("febf::1", true), ("ff02::1", true), ("ff12::1", true), ("ff0e::1", false),
        ("fec0::1", false),
        ("2001:db8::1", false), ("169.254.0.1", false),
    ])
    func zoneBelongsToOneLinkAlone(text: String, expected: Bool) throws {
        #expect(try address(text).needsZone == expected)
    }
}
