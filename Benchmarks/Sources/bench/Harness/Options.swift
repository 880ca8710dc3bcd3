/// What the command line asks for.
struct Options {
    var filter: String?
    var rounds = 11
    var isJSON = false
    var isList = false
    var isCheck = false
    var isHelp = false

    static let help = """
        usage: scripts/bench [options]

          --filter TEXT   only the comparisons whose name contains TEXT
          --rounds N      samples of each contender, 3 to 1001 (default 11); the median counts
          --json          print one JSON document instead of the table
          --list          print the names of the comparisons and stop
          --check         exit with 1 when a goal is not reached
          --help          print this

        Both sides of a comparison are warmed up and then measured in turn in one process. Those of the suite
        'reachability' are processes that watch one network namespace at the same time (it needs root, or a kernel
        that allows user namespaces); "wrong" is what has not told the truth five seconds later. Those of 'http'
        ask an nginx that is started for them on the loopback interface; the last of them measures memory, in
        processes that read one large body. Read the ratios: the times are those of this machine at this moment.

        Exit codes: 0 measured, 1 a measurement failed (or, with --check, a goal is not reached), 2 wrong usage.
        """

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--filter": filter = try Self.value(of: argument, in: &rest)
            case "--rounds": rounds = try Self.rounds(from: Self.value(of: argument, in: &rest))
            case "--json": isJSON = true
            case "--list": isList = true
            case "--check": isCheck = true
            case "--help", "-h": isHelp = true
            default: throw UsageError(description: "'\(argument)' is not an option")
            }
        }
    }

    private static func value(of option: String, in rest: inout ArraySlice<String>) throws(UsageError)
        -> String
    {
        guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value") }
        return value
    }

    private static func rounds(from text: String) throws(UsageError) -> Int {
        guard let rounds = Int(text), (3...1001).contains(rounds) else {
            throw UsageError(description: "--rounds takes a number from 3 to 1001, not '\(text)'")
        }
        return rounds
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String
}
