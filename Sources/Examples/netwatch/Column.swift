import AsyncReachability

/// A column of the table.
enum Column: String, CaseIterable {
    case time
    case host
    case mode
    case interface
    case address
    case vpn
    case reason

    var title: String { rawValue.uppercased() }

    /// What it says about a target.
    func text(of entry: TableEntry) -> String {
        guard let row = entry.row else { return unknownText(of: entry) }
        return switch self {
        case .time: row.time.localClock
        case .host: entry.target.description
        case .mode: row.modeWord
        case .interface: row.state.interface?.printable ?? "-"
        case .address: row.state.localAddress ?? "-"
        case .vpn: row.tunnel
        case .reason: row.remark?.word ?? ""
        }
    }

    private func unknownText(of entry: TableEntry) -> String {
        switch self {
        case .host: entry.target.description
        case .mode: "…"
        case .reason, .time: ""
        case .interface, .address, .vpn: "-"
        }
    }

    /// True when it can be left out without a loss: no row says anything in it.
    func isSilent(in entries: [TableEntry]) -> Bool {
        entries.allSatisfy { ["", "-", "no"].contains(text(of: $0)) }
    }

    func style(of entry: TableEntry) -> Style {
        guard self == .mode else { return .plain }
        guard let row = entry.row, row.state.isKnown else { return .yellow }
        return row.isReachable ? .green : .red
    }
}

extension Row {
    fileprivate var tunnel: String {
        guard state.vpn else { return state.interface == nil ? "-" : "no" }
        return state.underlay.map { "over \($0.interface.printable)" } ?? "yes"
    }
}
