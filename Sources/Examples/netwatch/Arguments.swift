import AsyncReachability

/// What the command line asks for.
struct Arguments: Equatable {
    /// Each once, in the order given; none stands for the Internet.
    private(set) var hosts: [Host] = []
    private(set) var isJSON = false
    private(set) var isOnce = false
    private(set) var probe: String?
    private(set) var wantsHelp = false

    /// Reads the words after the program's name.
    init(_ words: [String]) throws(Error) {
        var rest = words[...]
        while let word = rest.popFirst() {
            try read(word, &rest)
            if wantsHelp { return }
        }
    }

    private mutating func read(_ word: String, _ rest: inout ArraySlice<String>) throws(Error) {
        let option = Option(word)
        switch option.name {
        case "--host": try add(host: option.value(from: &rest))
        case "--probe": try set(probe: option.value(from: &rest))
        case "--json": isJSON = try option.flag()
        case "--once": isOnce = try option.flag()
        case "--help", "-h": wantsHelp = try option.flag()
        case let name where name.hasPrefix("-"): throw .unknownOption(name)
        default: throw .strayWord(word)
        }
    }

    private mutating func add(host text: String) throws(Error) {
        let host: Host
        do {
            host = try Host(text)
        } catch {
            throw .badHost(error)
        }
        if !hosts.contains(host) { hosts.append(host) }
    }

    private mutating func set(probe url: String) throws(Error) {
        if probe != nil { throw .secondProbe }
        probe = url
    }
}

/// One word of the command line: a name, and the value that may be joined to it by an equals sign.
private struct Option {
    let name: String
    private let joined: String?

    init(_ word: String) {
        let equals = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
        name = String(word[..<(equals ?? word.endIndex)])
        joined = equals.map { String(word[word.index(after: $0)...]) }
    }

    /// No host and no URL begins with a hyphen, so the next word is no value then but another option.
    func value(from rest: inout ArraySlice<String>) throws(Arguments.Error) -> String {
        if let joined { return joined }
        guard let next = rest.first, !next.hasPrefix("-") else { throw .missingValue(name) }
        rest.removeFirst()
        return next
    }

    func flag() throws(Arguments.Error) -> Bool {
        if joined != nil { throw .needlessValue(name) }
        return true
    }
}
