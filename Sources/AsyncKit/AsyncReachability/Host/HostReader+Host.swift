extension HostReader {
    /// RFC 1035 section 2.3.4 allows 255 bytes on the wire, which leaves this for the text.
    static let nameLimit = 253
    /// The name of an interface has at most 15 bytes, an index ten digits.
    private static let zoneLimit = 15

    /// What is in brackets, or has at least two colons.
    func ipv6(_ part: Part, inURL: Bool) throws(Host.Error) -> Host.Kind {
        let percent = part.firstIndex(of: .percent)
        let text = part[..<(percent ?? part.endIndex)]
        guard let address = IPAddress(text: String(decoding: text, as: UTF8.self)), address.isIPv6
        else { throw .badAddress(shown(part)) }
        guard let percent else { return .address(address.unmapped, zone: nil) }
        var zone = part[(percent + 1)...]
        if inURL && zone.starts(with: "25".utf8) { zone = zone.dropFirst(2) }
        guard address.needsZone else { throw .zoneNotAllowed(shown(text)) }
        return .address(address, zone: try checked(zone: zone))
    }

    private func checked(zone: Part) throws(Host.Error) -> String {
        let isZone =
            (1...Self.zoneLimit).contains(zone.count)
            && zone.allSatisfy { $0.isNameCharacter || $0 == .dot || $0 == .tilde }
            && zone.contains { $0 != .dot }
            // Index 0 stands for "no zone" (RFC 4007 section 6).
            && zone.contains { $0 != .zero }
        guard isZone else { throw .badZone(shown(zone)) }
        return String(decoding: zone, as: UTF8.self)
    }

    /// What has no colon.
    func nameOrIPv4(_ part: Part, _ idn: () -> IDNLibrary?) throws(Host.Error) -> Host.Kind {
        let text = String(decoding: part, as: UTF8.self)
        if let address = IPAddress(text: text) { return .address(address, zone: nil) }
        if let percent = part.firstIndex(of: .percent) {
            let before = String(decoding: part[..<percent], as: UTF8.self)
            throw IPAddress(text: before) == nil
                ? .percentEncoded(shown(part)) : .zoneNotAllowed(shown(part[..<percent]))
        }
        return .name(try name(part, idn))
    }

    private func name(_ part: Part, _ idn: () -> IDNLibrary?) throws(Host.Error) -> String {
        var name = part
        if !part.allSatisfy(\.isASCII) { name = try ascii(part, idn)[...] }
        if name.last == .dot { name = name.dropLast() }
        guard !name.isEmpty else { throw .noHost }
        guard name.count <= Self.nameLimit else { throw .nameTooLong(limit: Self.nameLimit) }
        let labels = name.split(separator: .dot, omittingEmptySubsequences: false)
        for label in labels where !Self.isLabel(label) { throw .badLabel(shown(label)) }
        if let last = labels.last, Self.isNumber(last) { throw .numericName(shown(name)) }
        return String(decoding: name.map(\.lowercased), as: UTF8.self)
    }

    /// The result is checked like any other name: the mapping turns `℀` into `a/c`.
    private func ascii(_ part: Part, _ idn: () -> IDNLibrary?) throws(Host.Error) -> [UInt8] {
        // Bounds the work of the library; the result has the real limit.
        guard part.count <= Self.nameLimit * 4 else { throw .nameTooLong(limit: Self.nameLimit) }
        for label in part.split(separator: .dot) {
            let isClean = label.allSatisfy { !$0.isASCII || $0.isNameCharacter }
            guard isClean else { throw .badLabel(shown(label)) }
        }
        let text = String(decoding: part, as: UTF8.self)
        guard !text.unicodeScalars.contains(where: Self.isHidden) else {
            throw .badInternationalName(shown(part))
        }
        guard let library = idn() else { throw .internationalNameUnsupported(shown(part)) }
        guard let name = library.ascii(text) else { throw .badInternationalName(shown(part)) }
        return name
    }

    private static func isLabel(_ label: Part) -> Bool {
        (1...63).contains(label.count) && label.allSatisfy(\.isNameCharacter)
            && label.first != .hyphen && label.last != .hyphen
    }

    /// Decimal, or hexadecimal with `0x` before it: what inet_aton(3) would read as a part of an IPv4 address.
    private static func isNumber(_ label: Part) -> Bool {
        let isHexadecimal = label.first == .zero && label.dropFirst().first?.lowercased == .x
        return label.allSatisfy(\.isDigit) || (isHexadecimal && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }
}
