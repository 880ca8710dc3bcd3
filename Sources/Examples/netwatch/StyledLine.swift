/// How a terminal shows a piece of text.
enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
}

/// One line for a terminal, in pieces that each have a style.
struct StyledLine: Equatable {
    private(set) var pieces: [Piece] = []

    struct Piece: Equatable {
        let text: String
        let style: Style
    }

    mutating func add(_ text: String, _ style: Style = .plain) {
        pieces.append(Piece(text: text, style: style))
    }

    /// How many columns it takes.
    var width: Int { pieces.reduce(0) { $0 + $1.text.count } }

    /// The line as far as the limit, with an ellipsis for what is cut off.
    func clipped(to limit: Int) -> StyledLine {
        if width <= limit { return self }
        var line = StyledLine()
        for piece in pieces where line.width < limit {
            let room = limit - line.width
            // A piece that just fits is cut too, because there is more behind it.
            line.add((piece.text.count < room ? piece.text : "\(piece.text) ").clipped(to: room), piece.style)
        }
        return line
    }

    /// The characters to write.
    func text(inColour: Bool) -> String {
        pieces.map { piece in
            if !inColour || piece.style == .plain { return piece.text }
            return "\u{1b}[\(piece.style.rawValue)m\(piece.text)\u{1b}[0m"
        }
        .joined()
    }
}
