internal import AsyncPrimitives

extension IPAddress {
    /// An address no router of the Internet forwards to: private use, shared, link-local or loopback.
    ///
    /// These are RFC 1918, 100.64.0.0/10 (RFC 6598), 169.254.0.0/16 (RFC 3927), fc00::/7 (RFC 4193), fe80::/10
    /// (RFC 4291) and the loopback addresses, also where IPv6 stands for IPv4.
    package var isPrivate: Bool {
        switch AddressRange(bytes) {
        case .loopback, .privateUse, .linkLocal: true
        default: false
        }
    }

    /// True where an address says nothing without its zone: fe80::/10 and multicast on one link (RFC 4007).
    var needsZone: Bool { isIPv6LinkLocal || isIPv6LinkMulticast }
}
