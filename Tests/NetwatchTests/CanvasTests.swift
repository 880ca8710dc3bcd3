import Testing

@testable import netwatch

@Suite(.timeLimit(.minutes(1)))
struct CanvasTests {
    private func lines(_ texts: String...) -> [StyledLine] {
        texts.map { text in
            var line = StyledLine()
            line.add(text, .green)
            return line
        }
    }

    @Test func tableIsDrawnBelowWhatIsThere() {
        var screen = VirtualScreen(width: 20)
        var canvas = Canvas(inColour: true)
        screen.write("$ netwatch\r\n")
        screen.write(canvas.begin(lines("header", "one", "footer")))
        #expect(screen.text == ["$ netwatch", "header", "one", "footer"])
        #expect(!screen.isCursorVisible)
    }

    @Test func onlyChangedLinesAreWritten() {
        var screen = VirtualScreen(width: 8)
        var canvas = Canvas(inColour: false)
        screen.write(canvas.begin(lines("header", "one", "two", "footer")))
        let update = canvas.update(to: lines("header", "full row", "two", "footer"))
        #expect(!update.contains("header") && !update.contains("two") && !update.contains("footer"))
        screen.write(update)
        #expect(screen.text == ["header", "full row", "two", "footer"])
        screen.write(canvas.update(to: lines("header", "1", "2", "end")))
        #expect(screen.text == ["header", "1", "2", "end"])
        #expect(canvas.update(to: lines("header", "1", "2", "end")).isEmpty)
    }

    @Test func otherNumberOfLinesIsDrawnInTheSamePlace() {
        var screen = VirtualScreen(width: 20)
        var canvas = Canvas(inColour: false)
        screen.write("$ netwatch\r\n")
        screen.write(canvas.begin(lines("header", "one", "two", "footer")))
        screen.write(canvas.update(to: lines("header", "one", "footer")))
        #expect(screen.text == ["$ netwatch", "header", "one", "footer"])
    }

    @Test func tableThatANarrowerTerminalHasBrokenIsReplacedAsAWhole() {
        var canvas = Canvas(inColour: false)
        let wide = lines("0123456789", "", "abcdefgh", "foot")
        _ = canvas.begin(wide)
        // What the terminal makes of it: three lines and one and two above the footer.
        var screen = VirtualScreen(width: 4)
        screen.write("$ nw\r\n" + wide.map { $0.text(inColour: false) }.joined(separator: "\r\n") + "\r")
        screen.write(canvas.redraw(lines("012…", "abc…", "foot"), columns: 4))
        #expect(screen.text == ["$ nw", "012…", "abc…", "foot"])
    }

    @Test func farewellLeavesTheTableAndAVisibleCursorBelowIt() {
        var screen = VirtualScreen(width: 20)
        var canvas = Canvas(inColour: true)
        screen.write(canvas.begin(lines("header", "one", "footer")))
        screen.write("^C" + Canvas.farewell + "$ ")
        #expect(screen.text == ["header", "one", "$"])
        #expect(screen.isCursorVisible)
    }
}
