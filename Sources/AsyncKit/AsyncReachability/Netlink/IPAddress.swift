internal import Glibc

/// An IPv4 or IPv6 address, four or sixteen bytes in network order.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// `nil` unless there are four or sixteen bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    private init(known bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isIPv6: Bool { bytes.count == 16 }
    var family: UInt8 { UInt8(isIPv6 ? AF_INET6 : AF_INET) }

    /// fe80::/10, which no router forwards (RFC 4291 section 2.5.6).
    var isIPv6LinkLocal: Bool { isIPv6 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 }

    /// 192.0.0.0/29, the near end of IPv4 over an IPv6-only network (464XLAT, DS-Lite; RFC 7335).
    var isIPv4OverIPv6: Bool { !isIPv6 && bytes.starts(with: [192, 0, 0]) && bytes[3] < 8 }

    /// ff02::/16, groups on the same link (RFC 4291 section 2.7).
    var isIPv6LinkMulticast: Bool { isIPv6 && bytes[0] == 0xff && bytes[1] & 0xf == 2 }

    var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(Int32(family), bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What the name localhost stands for (RFC 6761 section 6.3).
    static let loopback = [
        IPAddress(known: [127, 0, 0, 1]), IPAddress(known: [UInt8](repeating: 0, count: 15) + [1]),
    ]

    /// An address far away, to ask the kernel for the way to it; nothing is ever sent there.
    ///
    /// It is that of a.root-servers.net: fixed for decades, and nobody uses it inside a private network.
    static let farIPv4 = IPAddress(known: [198, 41, 0, 4])

    /// 2001:503:ba3e::2:30, the IPv6 address of the same server.
    static let farIPv6 = IPAddress(known: [0x20, 1, 5, 3, 0xba, 0x3e, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x30])
}
