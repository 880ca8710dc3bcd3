/// Cuts a text into the parts of a URL or of `host:port` (RFC 3986 section 3) and reads the host.
///
/// Everything works on bytes: what separates the parts is ASCII, and no byte of another character is.
struct HostReader {
    /// RFC 9110 section 4.1 asks readers for 8000 bytes at least.
    static let textLimit = 8192

    typealias Part = ArraySlice<UInt8>

    let text: Part
    /// An `@` makes every part suspect: in `https://me:pass/word@host` the "port" is the start of a password.
    let mayHoldSecrets: Bool

    init(_ bytes: [UInt8]) {
        text = bytes[...]
        mayHoldSecrets = bytes.contains(.at)
    }

    func read(_ idn: () -> IDNLibrary?) throws(Host.Error) -> Host.Kind {
        guard !text.isEmpty else { throw .empty }
        guard text.count <= Self.textLimit else { throw .tooLong(limit: Self.textLimit) }
        if let colon = text.firstIndex(of: .colon), text[(colon + 1)...].starts(with: [.slash, .slash]) {
            guard Self.isScheme(text[..<colon]) else { throw .badScheme }
            return try url(after: text[(colon + 3)...], idn)
        }
        guard !text.contains(where: { [.slash, .question, .hash, .at].contains($0) }) else { throw .noHost }
        return try hostAndPort(text, inURL: false, idn)
    }

    /// What follows `://`.
    private func url(after rest: Part, _ idn: () -> IDNLibrary?) throws(Host.Error) -> Host.Kind {
        let end = rest.firstIndex { [.slash, .question, .hash].contains($0) } ?? rest.endIndex
        guard Self.isEncoded(rest[end...]) else { throw .badPath }
        var authority = rest[..<end]
        if let at = authority.firstIndex(of: .at) {
            let userInfo = authority[..<at]
            authority = authority[(at + 1)...]
            guard Self.isEncoded(userInfo), !authority.contains(.at) else { throw .badUserInfo }
        }
        return try hostAndPort(authority, inURL: true, idn)
    }

    private func hostAndPort(
        _ part: Part,
        inURL: Bool,
        _ idn: () -> IDNLibrary?
    ) throws(Host.Error) -> Host.Kind {
        if part.first == .openBracket { return try bracketed(part, inURL: inURL) }
        guard let colon = part.firstIndex(of: .colon) else { return try nameOrIPv4(part, idn) }
        let port = part[(colon + 1)...]
        if port.contains(.colon) {
            guard !inURL else { throw .badAddress(shown(part)) }
            return try ipv6(part, inURL: false)
        }
        guard colon != part.startIndex else { throw .noHost }
        try check(port: port, inURL: inURL)
        return try nameOrIPv4(part[..<colon], idn)
    }

    private func bracketed(_ part: Part, inURL: Bool) throws(Host.Error) -> Host.Kind {
        guard let close = part.firstIndex(of: .closeBracket) else { throw .badAddress(shown(part)) }
        let rest = part[(close + 1)...]
        if let first = rest.first {
            guard first == .colon else { throw .badAddress(shown(part)) }
            try check(port: rest.dropFirst(), inURL: inURL)
        }
        return try ipv6(part[(part.startIndex + 1)..<close], inURL: inURL)
    }

    private func check(port: Part, inURL: Bool) throws(Host.Error) {
        if port.isEmpty && inURL { return }
        guard (1...5).contains(port.count), port.allSatisfy(\.isDigit),
            port.reduce(0, { $0 * 10 + Int($1 - .zero) }) <= 65_535
        else { throw .badPort }
    }

    private static func isScheme(_ part: Part) -> Bool {
        guard let first = part.first, first.isLetter else { return false }
        return part.allSatisfy { $0.isLetter || $0.isDigit || [.plus, .hyphen, .dot].contains($0) }
    }

    /// No space, no control character, nothing that ends a URL in text, and each `%` before two hex digits.
    private static func isEncoded(_ part: Part) -> Bool {
        let forbidden: [UInt8] = [.delete, .quote, .less, .greater, .backslash]
        if part.contains(where: { $0 <= .space || forbidden.contains($0) }) { return false }
        return part.indices.allSatisfy { part[$0] != .percent || isEscape(part[$0...].prefix(3)) }
    }

    private static func isEscape(_ part: Part) -> Bool {
        part.count == 3 && part.dropFirst().allSatisfy(\.isHexDigit)
    }
}
