import Glibc
import Testing

@testable import AsyncPrimitives

@Suite(.timeLimit(.minutes(1)))
struct AddressRangeTests {
    private func range(of text: String) throws -> AddressRange {
        let isIPv6 = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        try #require(inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1)
        return try #require(AddressRange(bytes))
    }

    @Test(arguments: [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.2.1",
        "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "8.8.8.8",
        "2000::", "2001:4860:4860::8888", "2001:db8::1", "3fff:ffff::",
        "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
    func anAddressOfTheInternetIsGlobal(text: String) throws {
        #expect(try range(of: text) == .global)
    }

    @Test(arguments: [
        ("0.0.0.0", AddressRange.unspecified), ("0.255.255.255", .unspecified), ("::", .unspecified),
        ("127.0.0.0", .loopback), ("127.0.0.1", .loopback), ("127.255.255.255", .loopback),
        ("::1", .loopback),
        ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse), ("172.16.0.0", .privateUse),
        ("172.31.255.255", .privateUse), ("192.168.0.0", .privateUse), ("192.168.255.255", .privateUse),
        ("100.64.0.0", .privateUse), ("100.127.255.255", .privateUse), ("fc00::", .privateUse),
        ("fdff:ffff::1", .privateUse), ("169.254.0.0", .linkLocal), ("169.254.169.254", .linkLocal),
        ("fe80::", .linkLocal), ("febf:ffff::1", .linkLocal), ("224.0.0.0", .multicast),
        ("239.255.255.255", .multicast), ("ff00::", .multicast), ("ff0e::1", .multicast),
        ("192.0.0.0", .reserved), ("192.0.0.255", .reserved), ("198.18.0.0", .reserved),
        ("198.19.255.255", .reserved), ("240.0.0.0", .reserved), ("255.255.255.255", .reserved),
        ("100::1", .reserved), ("64:ff9b:1::1", .reserved), ("1::1", .reserved), ("4000::", .reserved),
        ("fbff::", .reserved), ("fe00::1", .reserved), ("fec0::1", .reserved),
    ])
    func everyOtherAddressIsKnownByItsRange(text: String, expected: AddressRange) throws {
        #expect(try range(of: text) == expected)
    }

    @Test(arguments: ["::ffff:%", "::%", "64:ff9b::%"])
    func whatStandsForIPv4IsJudgedAsThat(form: String) throws {
        for address in [
            "0.1.2.3", "10.0.0.1", "127.0.0.1", "169.254.169.254", "224.0.0.1", "255.255.255.255",
        ] {
            let parts = form.split(separator: "%", omittingEmptySubsequences: false)
            #expect(try range(of: parts.joined(separator: address)) == range(of: address))
        }
    }

    @Test(arguments: [
        ("2002:7f00:1::1", AddressRange.loopback), ("2002:a00:1::", .privateUse),
        ("2002:c0a8:101::5", .privateUse),
        ("2002:a9fe:a9fe::", .linkLocal), ("2002::1", .unspecified), ("2002:e000:1::", .multicast),
    ])
    func sixToFourIsJudgedByTheAddressInIt(text: String, expected: AddressRange) throws {
        #expect(try range(of: text) == expected)
    }

    @Test(arguments: [0, 1, 3, 5, 15, 17])
    func bytesOfAnotherNumberAreNoAddress(count: Int) {
        #expect(AddressRange([UInt8](repeating: 127, count: count)) == nil)
    }
}
