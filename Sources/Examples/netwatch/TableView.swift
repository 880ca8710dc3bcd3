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
        let widths = widths(of: columns)
        // Behind the last column is the rest of the terminal.
        let room = width - occupied(by: columns.dropLast())
        let header = line(widths) { ($0.title, .bold) }
        return [header]
            + entries.map { entry in
                line(widths) { column in
                    (
                        column == .reason ? remark(of: entry, in: room) : column.text(of: entry),
                        column.style(of: entry)
                    )
                }
            }
    }

    private func line(_ widths: [(Column, Int)], _ cell: (Column) -> (String, Style)) -> StyledLine {
        var line = StyledLine()
        var end = 0
        for (column, columnWidth) in widths {
            let (text, style) = cell(column)
            if !text.isEmpty {
                line.add("".padded(to: end - line.width))
                line.add(column == .host ? text.clipped(to: columnWidth) : text, style)
            }
            end += columnWidth + Self.gap
        }
        return line.clipped(to: width)
    }

    /// The sentence where there is room for it, or the word.
    private func remark(of entry: TableEntry, in room: Int) -> String {
        guard let remark = entry.row?.remark else { return "" }
        return remark.sentence.count <= room ? remark.sentence : remark.word
    }
}

/// Which columns there are, and how wide they are.
extension TableView {
    /// Those that are always there, and of the rest as many as fit; those in which no row says anything come last.
    private var columns: [Column] {
        let isLoud = { (column: Column) in !column.isSilent(in: entries) }
        let rest: [Column] = [.address, .interface, .vpn, .time, .reason]
        var chosen = [Column.mode] + [.reason].filter(isLoud)
        if entries.contains(where: { $0.target != .internet }) { chosen.append(.host) }
        for column in rest.filter(isLoud) + rest.filter({ !isLoud($0) }) where !chosen.contains(column) {
            if occupied(by: chosen + [column]) - Self.gap <= width { chosen.append(column) }
        }
        return Column.allCases.filter(chosen.contains)
    }

    /// The host gives way to the others, as far as its name can still be recognised.
    private func widths(of columns: [Column]) -> [(Column, Int)] {
        let excess = max(0, occupied(by: columns) - Self.gap - width)
        return columns.map { column in
            let natural = naturalWidth(column)
            return (column, column == .host ? max(min(natural, 8), natural - excess) : natural)
        }
    }

    private func naturalWidth(_ column: Column) -> Int {
        entries.reduce(column.title.count) { max($0, column.text(of: $1).count) }
    }

    /// The columns of the terminal that they take, with the gap behind each.
    private func occupied(by columns: some Sequence<Column>) -> Int {
        columns.reduce(0) { $0 + naturalWidth($1) + Self.gap }
    }
}
