/// Lines that are drawn again in place; pure, it makes the characters to write.
///
/// Between two drawings the cursor is at the beginning of the last line, and hidden.
struct Canvas {
    private let inColour: Bool
    private var shown: [StyledLine] = []

    private static let erase = "\u{1b}[2K"
    private static let eraseBelow = "\u{1b}[J"
    private static let hideCursor = "\u{1b}[?25l"

    /// Takes off the last line and leaves the cursor in its place, for whatever comes next.
    static let farewell = "\r\(erase)\u{1b}[0m\u{1b}[?25h"

    init(inColour: Bool) {
        self.inColour = inColour
    }

    /// Draws below what is there now, as when nothing has been drawn yet.
    mutating func begin(_ lines: [StyledLine]) -> String {
        shown = lines
        return Self.hideCursor + whole
    }

    /// Draws only the lines that have changed.
    mutating func update(to lines: [StyledLine]) -> String {
        if lines.count != shown.count { return redraw(lines) }
        let changed = zip(lines, shown).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        shown = lines
        return changed.map(draw).joined()
    }

    /// Draws everything again, in a terminal that may have another width now.
    ///
    /// Most terminals break lines that have become too long, so that the beginning is further up than before.
    mutating func redraw(_ lines: [StyledLine], columns: Int = .max) -> String {
        let height = shown.dropLast().reduce(0) { $0 + max(1, ($1.width - 1) / columns + 1) }
        shown = lines
        return up(height) + whole
    }

    /// All lines, and nothing below.
    ///
    /// Line by line, because some terminals take the erasing of a whole screen for a reason to keep it in their
    /// history. What is below goes while the last line is empty, so that the cursor stands on none of its text.
    private var whole: String {
        let lines = shown.map { "\r\(Self.erase)\($0.text(inColour: inColour))" }
        let last = shown.last?.text(inColour: inColour) ?? ""
        return lines.dropLast().map { $0 + "\n" }.joined() + "\r\(Self.erase)\(Self.eraseBelow)\(last)\r"
    }

    /// Erases first: behind a line of full width, the cursor still stands on its last character.
    private func draw(_ index: Int) -> String {
        let distance = shown.count - 1 - index
        return up(distance) + "\r\(Self.erase)\(shown[index].text(inColour: inColour))\r"
            + (distance > 0 ? "\u{1b}[\(distance)B" : "")
    }

    private func up(_ count: Int) -> String {
        count > 0 ? "\u{1b}[\(count)A" : ""
    }
}
