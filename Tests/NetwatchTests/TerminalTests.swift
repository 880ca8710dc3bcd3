import AsyncPrimitives
import Glibc
import Support
import Testing

@testable import netwatch

/// The program on a real terminal, where its last characters decide what the user is left with.
@Suite(
    .serialized,
    .timeLimit(.minutes(1)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct TerminalTests {
    private let network: NetworkNamespace

    init() throws {
        network = try .connected()
    }

    private func screen(_ program: Program, width: Int = 80) -> VirtualScreen {
        var screen = VirtualScreen(width: width)
        screen.write(program.output.latest ?? "")
        return screen
    }

    private func isDrawn(_ text: String) -> @Sendable (String) -> Bool {
        { output in
            var screen = VirtualScreen(width: 80)
            screen.write(output)
            return screen.text.contains { $0.contains(text) }
        }
    }

    @Test func changeIsDrawnInPlace() async throws {
        let program = try Program.inTerminal(columns: 80, in: network)
        #expect(await program.writes(isDrawn("192.0.2.2")))
        #expect(screen(program).text.count == 3)
        #expect(!screen(program).isCursorVisible)
        try network.ip("route del default")
        #expect(await program.writes(isDrawn("no-route")))
        #expect(screen(program).text.count == 3)
        #expect(screen(program).text.last == "Ctrl-C to stop")
    }

    @Test(arguments: [("\u{3}", SIGINT), ("\u{1c}", SIGQUIT)])
    func keyThatEndsItLeavesTheTableAndTheCursor(_ key: String, _ signal: Int32) async throws {
        let program = try Program.inTerminal(columns: 80, in: network)
        #expect(await program.writes(isDrawn("192.0.2.2")))
        program.type(key)
        #expect(await program.exitStatus() == 128 + signal)
        #expect(screen(program).isCursorVisible)
        #expect(screen(program).text.count == 2)
        #expect(program.output.latest?.hasSuffix("\u{1b}[?25h") == true)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func signalThatEndsItShowsTheCursor(_ signal: Int32) async throws {
        let program = try Program.inTerminal(columns: 80, in: network)
        #expect(await program.writes(isDrawn("192.0.2.2")))
        program.send(signal)
        #expect(await program.exitStatus() == 128 + signal)
        #expect(program.output.latest?.hasSuffix("\u{1b}[?25h") == true)
    }

    /// The first drawing, which hides the cursor, must not come after the last word, which shows it.
    @Test func cursorIsThereHoweverSoonItEnds() async throws {
        for _ in 0..<20 {
            let program = try Program.inTerminal(columns: 80, in: network)
            #expect(await program.writes { !$0.isEmpty })
            program.send(SIGINT)
            #expect(await program.exitStatus() == 128 + SIGINT)
            #expect(screen(program).isCursorVisible)
        }
    }

    @Test func narrowerTerminalGetsANarrowerTable() async throws {
        let program = try Program.inTerminal(columns: 80, in: network)
        #expect(await program.writes(isDrawn("REASON")))
        try program.resizeTerminal(columns: 30)
        // A header that begins with the mode, as it does where there is no room for the time.
        #expect(await program.writes { $0.contains("\r\u{1b}[2K\u{1b}[1mMODE\u{1b}[0m") })
    }

    @Test func tableIsDrawnAgainAfterAPause() async throws {
        let program = try Program.inTerminal(columns: 80, in: network)
        #expect(await program.writes(isDrawn("192.0.2.2")))
        program.type("\u{1a}")
        #expect(await program.writes { $0.hasSuffix("\u{1b}[?25h") })
        program.send(SIGCONT)
        #expect(await program.writes { $0.hasSuffix("\u{1b}[2mCtrl-C to stop\u{1b}[0m\r") })
        #expect(!screen(program).isCursorVisible)
    }

    @Test func jsonOnATerminalIsLinesWithoutEscapes() async throws {
        let program = try Program.inTerminal("--json", columns: 80, in: network)
        #expect(await program.writes { $0.hasSuffix("}\r\n") })
        program.type("\u{3}")
        #expect(await program.exitStatus() == 128 + SIGINT)
        #expect(program.output.latest?.contains("\u{1b}") == false)
    }

    @Test func onceOnATerminalIsATableThatEnds() async throws {
        let program = try Program.inTerminal("--once", columns: 80, in: network)
        #expect(await program.exitStatus() == 0)
        #expect(screen(program).text.count == 2)
        #expect(screen(program).text.first == "TIME      MODE   INTERFACE  ADDRESS    VPN  REASON")
    }
}
