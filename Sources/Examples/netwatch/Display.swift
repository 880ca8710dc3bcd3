import AsyncPrimitives
import AsyncReachability
import Glibc

/// Where rows go.
///
/// Showing one takes as long as it has to be written, so nothing piles up before a slow reader: the streams of the
/// monitors skip to the latest state.
protocol Display: Sendable {
    /// Shows the row of the target that has this place among all.
    func show(_ row: Row, at index: Int) async
}

/// One line for each change, for pipes and files.
///
/// Writing may block, so the actor has a thread of its own.
actor LineDisplay: Display {
    private let executor = ThreadExecutor(name: "netwatch-out")
    private let format: @Sendable (Row) -> String
    private var shown: [Int: String] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(format: @escaping @Sendable (Row) -> String) {
        self.format = format
    }

    func show(_ row: Row, at index: Int) {
        // A change that the line has no field for is no news to its reader.
        let news = format(Row(row.target, row.state, at: Timestamp(seconds: 0, milliseconds: 0)))
        if shown.updateValue(news, forKey: index) != news { Output.write(format(row) + "\n") }
    }
}

/// A table on a terminal.
actor TableDisplay: Display {
    private let executor = ThreadExecutor(name: "netwatch-out")
    private var canvas = Canvas(inColour: Terminal.hasColour)
    private var entries: [TableEntry]

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(of targets: [NetworkTarget]) {
        entries = targets.map { TableEntry(target: $0) }
    }

    func show(_ row: Row, at index: Int) {
        entries[index].row = row
        Output.write(canvas.update(to: TableScene(entries: entries, size: Terminal.size).lines))
    }

    /// Draws it where the cursor is: at the start, and when the program was stopped and goes on.
    func begin() {
        Output.write(canvas.begin(TableScene(entries: entries, size: Terminal.size).lines))
    }

    /// Draws it again in a terminal that has another size now.
    func resize() {
        let size = Terminal.size
        let lines = TableScene(entries: entries, size: size).lines
        Output.write(canvas.redraw(lines, columns: size.columns))
    }
    /// Leaves the terminal to others and stops, as after Ctrl-Z; returns when the program goes on.
    func stop() {
        Output.attempt(Canvas.farewell)
        raiseUnblocked(SIGTSTP)
    }

    /// Leaves the terminal as it was but for the table, and ends the program.
    func end(by signal: Int32) {
        Output.attempt(Canvas.farewell)
        die(of: signal)
    }
}
