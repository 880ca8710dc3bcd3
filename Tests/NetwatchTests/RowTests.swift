import AsyncReachability
import Testing

@testable import netwatch

@Suite(.timeLimit(.minutes(1)))
struct RowTests {
    @Test func objectHasTheTenKeysInTheirOrder() {
        let expected =
            #"{"time":"2026-01-02T03:04:05.006Z","host":null,"mode":"wired","reachable":true,"vpn":false,"#
            + #""interface":"eth0","localAddress":"192.0.2.2","metered":"unknown","reason":null,"generation":1}"#
        #expect(row(.wired).json == expected)
    }

    @Test func objectOfAHostThatIsAwayHasNulls() throws {
        let json = row(.unreachable(.nameNotResolved), to: try host("a.example"), generation: 0).json
        let expected =
            #""host":"a.example","mode":"none","reachable":false,"vpn":false,"interface":null,"#
            + #""localAddress":null,"metered":"unknown","reason":"name-not-resolved","generation":0}"#
        #expect(json.hasSuffix(expected))
    }

    @Test func hostNamedInternetIsNotTheInternet() throws {
        #expect(row(.wired, to: try host("internet")).json.contains(#""host":"internet""#))
    }

    @Test func textsAreEscaped() {
        var line = JSONLine()
        line.add("a\"b\\", "\u{0}\u{1b}[2J\n\r\t\u{7f}\u{85}\u{2028}ü🙂/")
        line.add("c", nil)
        let expected = #"{"a\"b\\":"\u0000\u001b[2J\n\r\t\u007f\u0085\u2028ü🙂/","c":null}"#
        #expect(line.text == expected)
    }

    @Test func lineOfAPipeHasOneWordForEachField() {
        let words = { (row: Row) in row.line.split(separator: " ").map(String.init) }
        #expect(
            words(row(.wired)) == [
                "2026-01-02T03:04:05.006Z", "Internet", "wired", "eth0", "192.0.2.2", "no", "-",
            ]
        )
        #expect(
            words(row(.offline)) == [
                "2026-01-02T03:04:05.006Z", "Internet", "none", "-", "-", "no", "no-link",
            ]
        )
    }

    @Test func nothingIsClaimedWhereNothingIsKnown() {
        #expect(row(.unreachable(.refused)).line.contains(" unknown "))
        #expect(row(.unreachable(.refused)).json.contains(#""mode":"none","reachable":false,"#))
    }

    @Test func probeWithoutAnAnswerMeansNotReachable() {
        let row = row(.wired, .done(.failed))
        #expect(!row.isReachable)
        #expect(row.mode == .none)
        #expect(row.reason == "no-answer")
        #expect(row.state.interface == "eth0")
    }

    @Test func probeThatIsAnsweredOrOutMeansReachable() {
        #expect(row(.wired, .done(.validated)).isReachable)
        #expect(row(.wired, .pending).isReachable)
        #expect(row(.wired, .pending).reason == nil)
        #expect(row(.wired, .done(.portal)).reason == "portal")
    }

    @Test func nameOfAnInterfaceCannotMoveTheCursor() {
        let path = NetworkPath.reachable(
            NetworkRoute(mode: .wired, interface: "e\u{1b}[2J\u{301}ü好", localAddress: "192.0.2.2")
        )
        #expect(row(path).line.contains(" e?[2J?ü? "))
    }
}
