import Foundation

@main
enum Bench {
    static let measurements: [any Measurement] =
        BridgeSuite.comparisons + StateSuite.comparisons + SingleFlightSuite.comparisons
        + LockSuite.comparisons + ReachabilitySuite.observations + HTTPSuite.measurements

    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if let role = Role(arguments) { return try await role.play() }
            exit(try await run(Options(arguments)))
        } catch let error as UsageError {
            printError("bench: \(error)\n\n\(Options.help)")
            exit(2)
        } catch {
            printError("bench: \(error)")
            exit(1)
        }
    }

    /// Returns the exit code.
    private static func run(_ options: Options) async throws -> Int32 {
        if options.isHelp {
            print(Options.help)
            return 0
        }
        let selected = try select(options.filter)
        if options.isList {
            for measurement in selected { print(measurement.name) }
            return 0
        }
        let outcomes = try await measure(selected, options)
        print(options.isJSON ? try Document(outcomes).json() : "\n" + Report.table(outcomes))
        return options.isCheck && outcomes.contains { $0.isReached == false } ? 1 : 0
    }

    private static func select(_ filter: String?) throws(UsageError) -> [any Measurement] {
        guard let filter else { return measurements }
        let selected = measurements.filter { $0.name.contains(filter) }
        if selected.isEmpty {
            throw UsageError(
                description: "no comparison has '\(filter)' in its name; --list prints the names"
            )
        }
        return selected
    }

    /// Leaves the main actor, whose queue would be part of every time measured.
    @concurrent
    private static func measure(
        _ measurements: [any Measurement],
        _ options: Options
    ) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        printProgress(Machine.current.description, options)
        for measurement in measurements {
            let outcome = try await measurement.measure(rounds: options.rounds)
            printProgress(Report.details(outcome), options)
            outcomes.append(outcome)
        }
        return outcomes
    }

    /// With --json, standard output holds the document and nothing else.
    private static func printProgress(_ text: String, _ options: Options) {
        options.isJSON ? printError(text) : print(text)
        fflush(nil)
    }

    private static func printError(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
