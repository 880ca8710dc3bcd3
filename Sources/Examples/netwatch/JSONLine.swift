import AsyncReachability

/// An object of JSON (RFC 8259) on one line, its members in the order in which they were added.
struct JSONLine {
    private var members: [String] = []

    mutating func add(_ key: String, _ value: String?) {
        add(key, literal: value.map(Self.quoted))
    }

    mutating func add(_ key: String, _ value: Bool) {
        add(key, literal: "\(value)")
    }

    mutating func add(_ key: String, _ value: Int) {
        add(key, literal: "\(value)")
    }

    private mutating func add(_ key: String, literal: String?) {
        members.append("\(Self.quoted(key)):\(literal ?? "null")")
    }

    var text: String { "{\(members.joined(separator: ","))}" }

    private static func quoted(_ text: String) -> String {
        "\"\(text.unicodeScalars.map(escaped).joined())\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0"..<" ", "\u{7f}"..<"\u{a0}", "\u{2028}", "\u{2029}": unicodeEscape(scalar)
        default: String(scalar)
        }
    }

    /// JSON lets all but the first 32 stand as they are; terminals and readers of lines had rather not see them.
    private static func unicodeEscape(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }
}

extension Row {
    /// The object that `--json` prints.
    var json: String {
        var object = JSONLine()
        object.add("time", time.rfc3339)
        object.add("host", target == .internet ? nil : target.description)
        object.add("mode", mode.rawValue)
        object.add("reachable", isReachable)
        object.add("vpn", state.vpn)
        object.add("interface", state.interface)
        object.add("localAddress", state.localAddress)
        object.add("metered", state.metered.rawValue)
        object.add("reason", reason)
        object.add("generation", state.generation)
        return object.text
    }
}
