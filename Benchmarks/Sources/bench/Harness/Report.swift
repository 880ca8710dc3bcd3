import Foundation

/// Prints outcomes for people.
enum Report {
    static func details(_ outcome: Outcome) -> String {
        [
            "\(outcome.name)",
            "  \(side(outcome.subject, missing: "not measured"))",
            "  \(side(outcome.peer, missing: "peer missing"))",
            "  ratio \(ratio(outcome)), goal \(goal(outcome.goal)), result \(verdict(outcome))",
        ].joined(separator: "\n")
    }

    static func table(_ outcomes: [Outcome]) -> String {
        let header = ["comparison", "AsyncKit", "peer", "ratio", "goal", "result"]
        let rows = outcomes.map { outcome in
            [
                outcome.name, cell(outcome.subject), cell(outcome.peer), ratio(outcome), goal(outcome.goal),
                verdict(outcome),
            ]
        }
        return columns([header] + rows)
    }

    private static func side(_ finding: Finding, missing: String) -> String {
        switch finding {
        case .times(let label, let summary):
            "\(time(summary.median))  \(label.name) [\(label.version)], \(spread(summary))"
        case .memory(let label, let peak):
            "\(cell(finding))  \(label.name) [\(label.version)], greatest of \(peak.samples)"
        case .wrong(let label, let misses):
            "\(cell(finding)), \(misses.count) of \(misses.tries) times  \(label.name) [\(label.version)]"
        case .missing(let reason): "\(missing): \(reason)"
        }
    }

    private static func spread(_ summary: Summary) -> String {
        let range = "\(time(summary.fastest)) to \(time(summary.slowest))"
        return summary.percentile99.map { "\(range), p99 \(time($0))" } ?? range
    }

    private static func cell(_ finding: Finding) -> String {
        switch finding {
        case .times(_, let summary): time(summary.median)
        case .memory(_, let peak): size(peak.bytes)
        case .wrong(_, let misses): "wrong after \(misses.waitedSeconds) s"
        case .missing: "–"
        }
    }

    private static func verdict(_ outcome: Outcome) -> String {
        switch outcome.isReached {
        case true?: "reached"
        case false?: "NOT REACHED"
        case nil: whyNotJudged(outcome)
        }
    }

    private static func whyNotJudged(_ outcome: Outcome) -> String {
        switch (outcome.subject, outcome.peer) {
        case (.missing, _): "not possible here"
        case (_, .missing): "peer missing"
        default: "–"
        }
    }

    private static func ratio(_ outcome: Outcome) -> String {
        outcome.ratio.map { String(format: "%.2f×", $0) } ?? "–"
    }

    private static func goal(_ goal: Goal) -> String {
        let parts = [
            goal.ratio.map { String(format: "≥ %g×", $0) },
            goal.limit.map { "≤ \(time($0.nanoseconds))" },
            goal.memory.map { "≤ \(size($0))" },
        ].compactMap(\.self)
        return parts.isEmpty ? "–" : parts.joined(separator: ", ")
    }

    private static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: String(format: "%.1f ns", nanoseconds)
        case ..<1e6: String(format: "%.2f µs", nanoseconds / 1e3)
        default: String(format: "%.2f ms", nanoseconds / 1e6)
        }
    }

    private static func size(_ bytes: Int) -> String {
        String(format: "%.1f MB", Double(bytes) / 1e6)
    }

    private static func columns(_ rows: [[String]]) -> String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 || column == row.count - 1 ? cell.0 + padding : padding + cell.0
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}
