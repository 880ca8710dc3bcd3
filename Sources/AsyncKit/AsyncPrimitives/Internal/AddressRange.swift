/// What an IPv4 or IPv6 address is good for, by the range that it lies in.
///
/// An IPv6 address that stands for an IPv4 address has the range of that one, wherever a translator or a tunnel on
/// the way would take it: IPv4-mapped and IPv4-compatible (RFC 4291 section 2.5.5), 64:ff9b::/96 (RFC 6052) and 6to4,
/// 2002::/16 (RFC 3056). A translator with a prefix of its own network can't be told from any other network.
///
/// Source: the special-purpose address registries of IANA (RFC 6890).
package enum AddressRange: Hashable, Sendable {
    /// Anywhere on the Internet; the ranges for documentation (RFC 5737, RFC 3849) count as such.
    case global
    /// 0.0.0.0/8, and ::, which reach this machine.
    case unspecified
    /// 127.0.0.0/8 (RFC 1122 section 3.2.1.3) and ::1.
    case loopback
    /// RFC 1918, 100.64.0.0/10 (RFC 6598) and fc00::/7 (RFC 4193).
    case privateUse
    /// 169.254.0.0/16 (RFC 3927) and fe80::/10.
    case linkLocal
    /// 224.0.0.0/4 (RFC 5771) and ff00::/8.
    case multicast
    /// 192.0.0.0/24, 198.18.0.0/15 (RFC 2544), 240.0.0.0/4 with the broadcast address, and all of IPv6 that is not
    /// given out: anything else outside 2000::/3.
    case reserved

    /// Finds the range of an address in network order; `nil` unless there are four or sixteen bytes.
    package init?(_ bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = Self.ofIPv4(bytes)
        case 16: self = Self.ofIPv6(bytes)
        default: return nil
        }
    }
}

extension AddressRange {
    private static func ofIPv4(_ bytes: [UInt8]) -> AddressRange {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _): .unspecified
        case (127, _, _): .loopback
        case (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _): .privateUse
        case (169, 254, _): .linkLocal
        case (224...239, _, _): .multicast
        case (192, 0, 0), (198, 18...19, _), (240..., _, _): .reserved
        default: .global
        }
    }

    private static func ofIPv6(_ bytes: [UInt8]) -> AddressRange {
        // Before the IPv4-compatible addresses, of which these two look like a part.
        if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] < 2 {
            return bytes[15] == 0 ? .unspecified : .loopback
        }
        if let embedded = embeddedIPv4(bytes) { return ofIPv4(embedded) }
        switch (bytes[0], bytes[1]) {
        case (0xfc...0xfd, _): return .privateUse
        case (0xfe, 0x80...0xbf): return .linkLocal
        case (0xff, _): return .multicast
        case (0x20...0x3f, _): return .global
        default: return .reserved
        }
    }

    private static func embeddedIPv4(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes[0] == 0x20, bytes[1] == 0x02 { return Array(bytes[2..<6]) }
        let zeros = [UInt8](repeating: 0, count: 8)
        let prefixes = [
            zeros + [0, 0, 0, 0], zeros + [0, 0, 0xff, 0xff], [0, 0x64, 0xff, 0x9b] + zeros,
        ]
        return prefixes.contains { bytes.starts(with: $0) } ? Array(bytes[12...]) : nil
    }
}
