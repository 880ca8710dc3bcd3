import AsyncReachability
import Testing

@testable import netwatch

@Suite(.timeLimit(.minutes(1)))
struct TableViewTests {
    private func table(_ rows: [Row], _ width: Int) -> [String] {
        lines(rows.map { TableEntry(target: $0.target, row: $0) }, width).map { $0.text(inColour: false) }
    }

    private func lines(_ entries: [TableEntry], _ width: Int) -> [StyledLine] {
        TableView(entries: entries, width: width).lines
    }

    private let clock = Timestamp.someDay.localClock

    @Test func wideTerminalHasEveryColumnAndASentence() throws {
        let rows = [row(.tunnel), row(.offline, to: try host("example.org"))]
        #expect(
            table(rows, 150) == [
                "TIME      HOST         MODE  INTERFACE  ADDRESS                                 VPN         REASON",
                "\(clock)  Internet     wifi  wg0        2001:db8:1234:5678:90ab:cdef:1234:5678  over wlan0",
                "\(clock)  example.org  none  -          -                                       -           "
                    + "no link has carrier; plug in a cable or join a network",
            ]
        )
    }

    @Test func usualTerminalHasAWordWhereTheSentenceDoesNotFit() {
        #expect(
            table([row(.wired)], 80) == [
                "TIME      MODE   INTERFACE  ADDRESS    VPN  REASON",
                "\(clock)  wired  eth0       192.0.2.2  no",
            ]
        )
        #expect(
            table([row(.unreachable(.prohibited))], 80) == [
                "TIME      MODE  INTERFACE  ADDRESS  VPN  REASON",
                "\(clock)  none  -          -        -    prohibited",
            ]
        )
    }

    @Test func narrowTerminalLeavesOutWhatSaysNothing() {
        #expect(
            table([row(.wired)], 40) == [
                "TIME      MODE   INTERFACE  ADDRESS",
                "\(clock)  wired  eth0       192.0.2.2",
            ]
        )
        #expect(
            table([row(.offline)], 30) == [
                "TIME      MODE  VPN  REASON",
                "\(clock)  none  -    no-link",
            ]
        )
    }

    @Test func narrowTerminalKeepsModeAndReasonOfEveryHost() throws {
        let rows = [row(.tunnel), row(.offline, to: try host("example.org"))]
        #expect(
            table(rows, 40) == [
                "HOST         MODE  INTERFACE  REASON",
                "Internet     wifi  wg0",
                "example.org  none  -          no-link",
            ]
        )
    }

    @Test func noLineIsEverWiderThanTheTerminal() throws {
        let name = String(repeating: "very-long-label.", count: 10) + "example"
        let rows = [
            row(.tunnel), row(.unreachable(.noRoute), to: try host(name)), row(.wired, .done(.failed)),
        ]
        let entries = rows.map { TableEntry(target: $0.target, row: $0) }
        for width in 1...200 {
            let lines = lines(entries, width)
            #expect(lines.count == 4)
            #expect(lines.allSatisfy { $0.width <= width }, "\(width)")
        }
    }

    @Test func longHostGivesWayBeforeModeAndReason() throws {
        let rows = [row(.offline, to: try host("a-long-name.example.org"))]
        #expect(table(rows, 25) == ["HOST        MODE  REASON", "a-long-na…  none  no-link"])
        #expect(table(rows, 16) == ["HOST      MODE …", "a-long-…  none …"])
    }

    @Test func targetThatIsNotKnownYetHasItsLine() {
        #expect(table([], 80).count == 1)
        let lines = lines([TableEntry(target: .internet)], 80).map { $0.text(inColour: false) }
        #expect(lines.last == "      …     -          -        -")
    }

    @Test func coloursSayWhetherItIsReachable() {
        let texts = [row(.wired), row(.offline), row(.unreachable(.refused))].map { row in
            lines([TableEntry(target: .internet, row: row)], 80)[1].text(inColour: true)
        }
        #expect(texts[0].contains("\u{1b}[32mwired\u{1b}[0m"))
        #expect(texts[1].contains("\u{1b}[31mnone\u{1b}[0m"))
        #expect(texts[2].contains("\u{1b}[33munknown\u{1b}[0m"))
    }

    @Test func lowTerminalSaysHowManyRowsItHidesAndKeepsTheFooter() throws {
        let entries = try (0..<10).map { TableEntry(target: try host("h\($0).example")) }
        let lines = TableScene(entries: entries, size: Terminal.Size(columns: 80, lines: 6)).lines
        #expect(lines.count == 6)
        #expect(lines.last?.text(inColour: false) == "6 hidden; Ctrl-C to stop")
    }
}
