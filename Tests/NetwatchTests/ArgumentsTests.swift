import AsyncReachability
import Testing

@testable import netwatch

@Suite(.timeLimit(.minutes(1)))
struct ArgumentsTests {
    private func failure(_ words: String...) -> Arguments.Error? {
        do {
            _ = try Arguments(words)
            return nil
        } catch {
            return error
        }
    }

    @Test func nothingGivenMeansTheInternetAsATable() throws {
        let arguments = try Arguments([])
        #expect(arguments.hosts.isEmpty)
        #expect(!arguments.isJSON && !arguments.isOnce && !arguments.wantsHelp)
        #expect(arguments.probe == nil)
    }

    @Test func everyOptionIsRead() throws {
        let arguments = try Arguments([
            "--host", "a.example", "--json", "--host=b.example", "--once", "--probe=http://c.example/?x=y",
        ])
        #expect(arguments.hosts == [try Host("a.example"), try Host("b.example")])
        #expect(arguments.isJSON && arguments.isOnce)
        #expect(arguments.probe == "http://c.example/?x=y")
    }

    @Test func hostGivenTwiceIsWatchedOnce() throws {
        let arguments = try Arguments(["--host", "B.example.", "--host", "a.example", "--host", "b.example"])
        #expect(arguments.hosts == [try Host("b.example"), try Host("a.example")])
    }

    @Test(arguments: ["--help", "-h"]) func helpComesBeforeLaterMistakes(_ option: String) throws {
        #expect(try Arguments(["--once", option, "--nonsense"]).wantsHelp)
    }

    @Test func mistakesAreNamed() {
        #expect(failure("--jsn") == .unknownOption("--jsn"))
        #expect(failure("--jsn=1") == .unknownOption("--jsn"))
        #expect(failure("-") == .unknownOption("-"))
        #expect(failure("example.org") == .strayWord("example.org"))
        #expect(failure("") == .strayWord(""))
        #expect(failure("--json=yes") == .needlessValue("--json"))
        #expect(failure("--probe", "http://a.example", "--probe", "http://b.example") == .secondProbe)
    }

    @Test func optionIsNoValueOfTheOneBefore() {
        #expect(failure("--host") == .missingValue("--host"))
        #expect(failure("--host", "--json") == .missingValue("--host"))
        #expect(failure("--once", "--probe") == .missingValue("--probe"))
    }

    @Test func badHostIsExplainedByItsOwnSentence() {
        #expect(failure("--host=") == .badHost(.empty))
        #expect("\(Arguments.Error.badHost(.empty))" == "--host: \(Host.Error.empty)")
    }

    @Test func mistakesDoNotReachTheTerminalAsControlCharacters() {
        #expect("\(Arguments.Error.unknownOption("--\u{1b}[2J"))" == "There is no option --?[2J.")
    }
}
