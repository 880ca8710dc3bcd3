/// A terminal of a few escape sequences, which breaks long lines and forgets what scrolls out at the top.
///
/// It traps at a sequence that it does not know, so that a test sees what the program begins to use.
struct VirtualScreen {
    private(set) var isCursorVisible = true
    private let width: Int
    private var lines: [[Character]] = [[]]
    private var row = 0
    private var column = 0

    init(width: Int) {
        self.width = width
    }

    /// What stands there, without the blanks and empty lines at the ends.
    var text: [String] {
        var texts = lines.map { String(String($0).reversed().drop { $0 == " " }.reversed()) }
        while texts.last == "" { texts.removeLast() }
        return texts
    }

    mutating func write(_ text: String) {
        // Not characters: a carriage return and a line feed would be one.
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1b}": runSequence(&rest)
            case "\r": column = 0
            case "\n": move(to: row + 1)
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        if column == width {
            column = 0
            move(to: row + 1)
        }
        while lines[row].count <= column { lines[row].append(" ") }
        lines[row][column] = character
        column += 1
    }

    private mutating func move(to target: Int) {
        row = max(0, target)
        while lines.count <= row { lines.append([]) }
    }

    private mutating func runSequence(_ rest: inout Substring.UnicodeScalarView) {
        let bracket = rest.popFirst()
        let digits = String(String.UnicodeScalarView(rest.prefix { !$0.properties.isAlphabetic }))
        rest = rest.dropFirst(digits.unicodeScalars.count)
        switch (bracket, digits, rest.popFirst()) {
        case ("[", _, "m"): break
        case ("[", _, "A"): move(to: row - (Int(digits) ?? 1))
        case ("[", _, "B"): move(to: row + (Int(digits) ?? 1))
        case ("[", "2", "K"): lines[row] = []
        case ("[", "", "J"):
            lines[row].removeSubrange(min(column, lines[row].count)...)
            lines.removeSubrange((row + 1)...)
        case ("[", "?25", "l"): isCursorVisible = false
        case ("[", "?25", "h"): isCursorVisible = true
        case let sequence:
            preconditionFailure("an escape sequence that the screen does not know: \(sequence)")
        }
    }
}
