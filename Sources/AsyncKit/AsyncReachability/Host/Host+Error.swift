extension Host {
    /// The reason why a text is no host; each case names the part that is bad.
    ///
    /// The text of a part is shown as far as 64 characters, with invisible ones escaped. When there is an `@` anywhere,
    /// every such text is “…” instead: a password that was not encoded well looks like a host, a port or a path.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// There is no text.
        case empty
        /// The text has more bytes than the limit.
        case tooLong(limit: Int)
        /// No host stands where one belongs, as in `file:///etc/hosts`, `mailto:a@b` and `example.com/path`.
        case noHost
        /// What is before `://` is no scheme.
        case badScheme
        /// The user info of a URL has a character it can't have, such as a second `@`.
        case badUserInfo
        /// What follows the host's colon is no port; its text is not shown, since it may be a password without a host.
        case badPort
        /// What is in brackets, or has several colons, is no IPv6 address.
        case badAddress(String)
        /// What follows the `%` of an address is no zone.
        case badZone(String)
        /// The address, which is the one shown, is not link-local and has a zone.
        case zoneNotAllowed(String)
        /// A label of the name has a character it can't have, or is empty or too long, or has a hyphen at one end.
        case badLabel(String)
        /// The name has more bytes than the limit.
        case nameTooLong(limit: Int)
        /// The last label is a number and the whole is no IPv4 address.
        case numericName(String)
        /// The host of a URL is percent-encoded.
        case percentEncoded(String)
        /// The name is not ASCII and libidn2 is not installed.
        case internationalNameUnsupported(String)
        /// The name is not ASCII and breaks the rules of IDNA.
        case badInternationalName(String)
        /// The path, the query or the fragment of a URL has a character it can't have.
        case badPath
    }
}

extension Host.Error: CustomStringConvertible {
    /// One sentence that says what to do.
    public var description: String {
        switch self {
        case .empty: "Give a host name, an address or a URL; the text is empty."
        case .tooLong(let limit): "Give at most \(limit) bytes."
        case .noHost:
            "Give a host alone, or a URL that names one after “//”, such as https://example.org/path."
        case .badScheme:
            "Begin the URL's scheme with a letter, and go on with letters, digits, “+”, “-” or “.”."
        case .badUserInfo: "Percent-encode the user info of the URL, or leave it out."
        case .badPort: "Give a port from 0 to 65535 after the host's colon, in at most five digits."
        case .badAddress(let text):
            "Correct the IPv6 address “\(text)”; in a URL or before a port it has brackets."
        case .badZone(let zone):
            "Give the name or the index of an interface as the zone instead of “\(zone)”."
        case .zoneNotAllowed(let address):
            "Leave the zone out; only a link-local address has one, not \(address)."
        case .badLabel(let label):
            "Correct “\(label)” in the name: a label has 1 to 63 letters, digits, “-” or “_”, and no “-” at its ends."
        case .nameTooLong(let limit): "Give a name of at most \(limit) bytes."
        case .numericName(let name):
            "Write “\(name)” as four numbers from 0 to 255 without leading zeros, or as a name."
        case .percentEncoded(let host): "Write “\(host)” without percent-encoding."
        case .internationalNameUnsupported(let name):
            "Install libidn2-0, or give “\(name)” in its ASCII form (xn--…)."
        case .badInternationalName(let name):
            "Correct the name “\(name)”; international names do not allow it."
        case .badPath: "Percent-encode the path, the query and the fragment of the URL."
        }
    }
}
