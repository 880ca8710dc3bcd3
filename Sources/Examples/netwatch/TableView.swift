import AsyncReachability

/// A target, and its row once that is known.
struct TableEntry: Equatable {
    let target: NetworkTarget
    var row: Row?
}

/// The table as lines that a terminal of some width does not wrap.
struct TableView {
    let entries: [TableEntry]
    let width: Int

    private static let gap = 2

    /// The header, then a line for each target.
    var lines: [StyledLine] {
        let columns = columns
        let widths = columns.map(naturalWidth)
        let header = line(zip(columns, widths)) { ($0.title, .bold) }
        return [header]
            + entries.map { entry in
                let room = width - occupied(by: columns.dropLast())
                return line(zip(columns, widths)) { column in
                    (column == .reason ? remark(of: entry, in: room) : column.text(of: entry), column.style(of: entry))
                }
            }
    }

    private func line(
        _ columns: some Sequence<(Column, Int)>,
        _ cell: (Column) -> (String, Style)
    ) -> StyledLine {
        var line = StyledLine()
        var padding = 0
        for (column, width) in columns {
            let (text, style) = cell(column)
            if !text.isEmpty {
                line.add("".padded(to: padding))
                line.add(text, style)
                padding = -text.count
            }
            padding += width + Self.gap
        }
        return line.clipped(to: width)
    }

    /// The sentence where there is room for it, or the word.
    private func remark(of entry: TableEntry, in room: Int) -> String {
        guard let remark = entry.row?.remark else { return "" }
        return remark.sentence.count <= room ? remark.sentence : remark.word
    }
}

/// Which columns there are.
extension TableView {
    /// As many as fit. Those that say nothing go first, and the mode and the reason stay to the end.
    private var columns: [Column] {
        var columns = Column.allCases.filter { $0 != .host || entries.contains { $0.target != .internet } }
        let silent = [Column.reason, .vpn, .interface, .address].filter { $0.isSilent(in: entries) }
        for column in silent + [.time, .interface, .vpn, .address] where occupied(by: columns) > width + Self.gap {
            columns.removeAll { $0 == column }
        }
        return columns
    }

    private func naturalWidth(_ column: Column) -> Int {
        entries.reduce(column.title.count) { max($0, column.text(of: $1).count) }
    }

    /// The columns of the terminal that they take, with the gap behind each.
    private func occupied(by columns: some Sequence<Column>) -> Int {
        columns.reduce(0) { $0 + naturalWidth($1) + Self.gap }
    }
}
