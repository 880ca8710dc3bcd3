internal import Glibc

extension IPAddress {
    /// Reads the standard text form alone (inet_pton(3)); `nil` for everything else.
    ///
    /// Old forms of IPv4, such as `1.2.3`, `0x7f.1` and `010.0.0.1`, are refused: readers differ about them.
    package init?(text: some StringProtocol) {
        // A C function would stop at a NUL and take what is before it.
        let characters = text.utf8.prefix(Int(INET6_ADDRSTRLEN))
        guard characters.count < INET6_ADDRSTRLEN, !characters.contains(0) else { return nil }
        let isIPv6 = characters.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        let cString = characters.map { CChar(bitPattern: $0) } + [0]
        guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, cString, &bytes) == 1 else { return nil }
        self.init(bytes)
    }

    /// The IPv4 address that an IPv4-mapped IPv6 address stands for (RFC 4291 section 2.5.5.2), or else the address.
    var unmapped: IPAddress {
        let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        guard isIPv6, bytes.starts(with: prefix) else { return self }
        return IPAddress(Array(bytes.suffix(4))) ?? self
    }
}
