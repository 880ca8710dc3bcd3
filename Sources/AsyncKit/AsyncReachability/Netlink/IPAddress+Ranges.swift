extension IPAddress {
    /// 127.0.0.0/8 and ::1 (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
    var isLoopback: Bool {
        let address = unmapped
        if !address.isIPv6 { return address.bytes[0] == 127 }
        return address.bytes[15] == 1 && address.bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// 224.0.0.0/4 and ff00::/8 (RFC 5771, RFC 4291 section 2.7).
    var isMulticast: Bool {
        let address = unmapped
        return address.isIPv6 ? address.bytes[0] == 0xff : address.bytes[0] & 0xf0 == 0xe0
    }

    /// An address no router of the Internet forwards to: private use, shared, link-local or loopback.
    ///
    /// These are RFC 1918, 100.64.0.0/10 (RFC 6598), 169.254.0.0/16 (RFC 3927), fc00::/7 (RFC 4193), fe80::/10
    /// (RFC 4291) and the loopback addresses.
    package var isPrivate: Bool {
        let address = unmapped
        return address.isLoopback || (address.isIPv6 ? address.isPrivateIPv6 : address.isPrivateIPv4)
    }

    /// True where an address says nothing without its zone: fe80::/10 and multicast on one link (RFC 4007).
    var needsZone: Bool { isIPv6LinkLocal || isIPv6LinkMulticast }

    private var isPrivateIPv4: Bool {
        switch (bytes[0], bytes[1]) {
        case (10, _), (192, 168), (169, 254): true
        case (172, let second): second & 0xf0 == 16
        case (100, let second): second & 0xc0 == 64
        default: false
        }
    }

    private var isPrivateIPv6: Bool { isIPv6LinkLocal || bytes[0] & 0xfe == 0xfc }
}
