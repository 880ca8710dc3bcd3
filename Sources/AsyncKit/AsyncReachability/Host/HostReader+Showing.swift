extension HostReader {
    private static let shownLimit = 64

    /// A part's text for an error: short, in one line, and never of a secret.
    func shown(_ part: Part) -> String {
        guard !mayHoldSecrets else { return "…" }
        let scalars = String(decoding: part, as: UTF8.self).unicodeScalars
        let head = scalars.prefix(Self.shownLimit)
        let text = head.map { Self.isHidden($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
        return head.endIndex == scalars.endIndex ? text : text + "…"
    }

    /// A character that one does not see, or that moves others on the screen.
    ///
    /// The joiners U+200C and U+200D are no such ones: some languages need them, and IDNA has rules for them.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value == 0x200c || scalar.value == 0x200d { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: return true
        case .lineSeparator, .paragraphSeparator: return true
        case .spaceSeparator: return scalar != " "
        default: return false
        }
    }
}

extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let hash = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let plus = UInt8(ascii: "+")
    static let hyphen = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let colon = UInt8(ascii: ":")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let question = UInt8(ascii: "?")
    static let at = UInt8(ascii: "@")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closeBracket = UInt8(ascii: "]")
    static let underscore = UInt8(ascii: "_")
    static let x = UInt8(ascii: "x")
    static let tilde = UInt8(ascii: "~")
    static let delete: UInt8 = 0x7f

    var isASCII: Bool { self < 0x80 }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isLetter: Bool { (0x61...0x7a).contains(lowercased) }
    var isHexDigit: Bool { isDigit || (0x61...0x66).contains(lowercased) }
    /// What a label of a name has: a letter, a digit, a hyphen or an underscore.
    var isNameCharacter: Bool { isLetter || isDigit || self == .hyphen || self == .underscore }
    /// The small letter of a capital ASCII letter; anything else as it is.
    var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}
