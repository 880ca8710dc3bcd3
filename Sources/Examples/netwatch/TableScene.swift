/// The table as it stands on a terminal: as much of it as is room for, and a line below that says how to stop.
struct TableScene {
    let entries: [TableEntry]
    let size: Terminal.Size

    var lines: [StyledLine] {
        let table = TableView(entries: entries, width: size.columns).lines
        let visible = table.prefix(max(1, size.lines - 1))
        return visible + [footer(hidden: table.count - visible.count)]
    }

    private func footer(hidden: Int) -> StyledLine {
        var line = StyledLine()
        line.add((hidden > 0 ? "\(hidden) hidden; " : "") + "Ctrl-C to stop", .dim)
        return line.clipped(to: size.columns)
    }
}
