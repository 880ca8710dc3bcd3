/// The directives of a `Cache-Control` field (RFC 9111, section 5.2; RFC 5861; RFC 8246).
struct CacheControl: Sendable, Equatable {
    /// A directive that takes seconds: how many, or that its value makes no sense.
    enum Seconds: Sendable, Equatable {
        case seconds(Int)
        case invalid
    }

    private(set) var noStore = false
    private(set) var noCache = false
    private(set) var mustRevalidate = false
    private(set) var isImmutable = false
    private(set) var maxAge: Seconds?
    private(set) var staleWhileRevalidate: Seconds?
    private(set) var staleIfError: Seconds?

    /// Numbers above this count as this (RFC 9111, section 1.2.2).
    static let longest = 1 << 31

    init(_ field: String?) {
        for directive in Self.directives(field ?? "") { add(directive.name, directive.value) }
    }

    private mutating func add(_ name: String, _ value: String?) {
        switch name {
        case "no-store": noStore = true
        // With field names it only withholds those fields; a cache may treat it as without (section 5.2.2.4).
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "immutable": isImmutable = true
        case "max-age": Self.add(value, to: &maxAge)
        case "stale-while-revalidate": Self.add(value, to: &staleWhileRevalidate)
        case "stale-if-error": Self.add(value, to: &staleIfError)
        default: break
        }
    }

    /// Two values for one directive leave open which is meant, so the response counts as stale (section 4.2.1).
    private static func add(_ value: String?, to seconds: inout Seconds?) {
        let new = number(value).map(Seconds.seconds) ?? .invalid
        seconds = seconds == nil || seconds == new ? new : .invalid
    }

    /// A number of seconds of any length.
    static func number(_ value: String?) -> Int? {
        guard let value, !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let digits = value.drop { $0 == "0" }
        return digits.utf8.count > 10 ? longest : min(longest, Int(digits) ?? 0)
    }

    private static func directives(_ field: String) -> [(name: String, value: String?)] {
        pieces(field).compactMap { piece in
            let sides = piece.split(separator: "=", maxSplits: 1)
            guard let name = sides.first?.filter({ $0 != " " && $0 != "\t" }), !name.isEmpty else {
                return nil
            }
            guard sides.count == 2 else { return (name.lowercased(), nil) }
            return (name.lowercased(), String(sides[1].filter { $0 != "\"" && $0 != " " && $0 != "\t" }))
        }
    }

    /// The parts between commas, where a comma in quotes separates nothing.
    private static func pieces(_ field: String) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        // A quote that is not closed quotes nothing, so that what follows does not get lost in it.
        let hasPairs = field.count { $0 == "\"" } % 2 == 0
        for character in field {
            if character == "\"", !isEscaped { isQuoted = hasPairs && !isQuoted }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            if character == ",", !isQuoted {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        return pieces
    }
}

extension CacheControl.Seconds? {
    /// The seconds, or 0 for none and for what makes no sense.
    var orZero: Int {
        if case .seconds(let count) = self { count } else { 0 }
    }
}
