/// The name or address of a machine, in a form in which equal hosts are equal values.
///
/// ```swift
/// let host = try Host("https://Example.COM:8443/path")
/// print(host)  // example.com
/// ```
///
/// Scheme, user info, port, path, query and fragment of a URL are checked and dropped, because the way to a host is
/// the same for all of them: `example.com`, `EXAMPLE.com.`, `example.com:443` and `http://example.com/` are equal.
/// A password is therefore never kept.
///
/// A host is made from text alone: nothing is looked up and no packet is sent. It takes some microseconds, and less
/// than a tenth of a millisecond for the longest text.
///
/// Foundation has a class `Host` too. A file that imports both adds `import struct AsyncReachability.Host`, or writes
/// `AsyncReachability.Host` for the type.
public struct Host: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Lower-case ASCII with no dot at the end.
        case name(String)
        /// A zone only where ``IPAddress/needsZone`` is true; an IPv4-mapped address is kept as IPv4.
        case address(IPAddress, zone: String?)
    }

    let kind: Kind

    /// Reads a host name, an address, one of them with a port, or a URL.
    ///
    /// | Text | Host |
    /// |---|---|
    /// | `example.com`, `Example.COM.`, `example.com:443` | `example.com` |
    /// | `https://user:secret@example.com:8443/a?b#c` | `example.com` |
    /// | `bücher.example` | `xn--bcher-kva.example` |
    /// | `192.0.2.1`, `192.0.2.1:53`, `::ffff:192.0.2.1` | `192.0.2.1` |
    /// | `2001:DB8:0::1`, `[2001:db8::1]`, `[2001:db8::1]:443` | `2001:db8::1` |
    /// | `fe80::1%eth0`, `https://[fe80::1%25eth0]/` | `fe80::1%eth0` |
    ///
    /// Text is read strictly, since what is read in two ways can be used to get past a check. White space around a
    /// host is an error, and so is what other programs guess about: `1.2.3`, `0` or `010.0.0.1` for an IPv4 address,
    /// a percent-encoded host, a second `@`, and a path without a scheme.
    ///
    /// - **Names** have labels of 1 to 63 letters, digits, hyphens and underscores, no hyphen at either end, and 253
    ///   bytes at most (RFC 1035 section 2.3.4, RFC 1123 section 2.1). The last label is not a number.
    /// - **International names** are turned into ASCII by IDNA 2008 with the mapping of UTS 46, non-transitional. This
    ///   takes libidn2, which is opened when the first such name comes; ASCII names do without it.
    /// - **Zones** are kept for link-local addresses (fe80::/10 and multicast ff02::/16), as written: a name of an
    ///   interface or its index (RFC 4007). In a URL `%25` before a zone is read as `%` (RFC 6874); elsewhere `%` is.
    /// - **Ports** are one to five digits, 65535 at most. In a URL the digits may be missing (RFC 3986 section 3.2.3).
    ///
    /// - Parameter text: What to read, 8192 bytes at most.
    /// - Throws: ``Error``, which names the bad part and never shows user info.
    public init(_ text: some StringProtocol) throws(Error) {
        try self.init(text, idn: IDNLibrary.system)
    }

    /// Reads a host with a given library for international names, or with none.
    init(_ text: some StringProtocol, idn: @autoclosure () -> IDNLibrary?) throws(Error) {
        // One byte more shows that there is more; the rest of a huge text is not looked at.
        let bytes = Array(text.utf8.prefix(HostReader.textLimit + 1))
        kind = try HostReader(bytes).read(idn)
    }

    /// True for an IPv4 or IPv6 address, which needs no name server.
    public var isAddress: Bool {
        if case .address = kind { true } else { false }
    }

    /// True for `localhost` and every name below it, which stand for this machine (RFC 6761 section 6.3).
    var isLoopbackName: Bool {
        guard case .name(let name) = kind else { return false }
        return name == "localhost" || name.hasSuffix(".localhost")
    }
}

extension Host: CustomStringConvertible {
    /// The normal form, which reads back as an equal host.
    ///
    /// A name is in lower-case ASCII without a dot at the end. An IPv6 address is in the form of RFC 5952 as
    /// inet_ntop(3) writes it, without brackets, and followed by `%` and its zone if it has one.
    public var description: String {
        switch kind {
        case .name(let name): name
        case .address(let address, nil): address.description
        case .address(let address, let zone?): "\(address)%\(zone)"
        }
    }
}
