import Foundation

/// Prints outcomes for people or for programs.
enum Report {
    static func details(_ outcome: Outcome) -> String {
        let comparison = outcome.comparison
        return [
            "\(comparison.name)",
            "  \(side(comparison.subject, outcome.subject))",
            "  \(peerSide(outcome))",
            "  ratio \(ratio(outcome)), goal \(goal(comparison.goal)), result \(verdict(outcome))",
        ].joined(separator: "\n")
    }

    static func table(_ outcomes: [Outcome]) -> String {
        let header = ["comparison", "AsyncKit", "peer", "ratio", "goal", "result"]
        let rows = outcomes.map { outcome in
            [
                outcome.comparison.name, time(outcome.subject.median),
                outcome.peer.map { time($0.median) } ?? "–",
                ratio(outcome), goal(outcome.comparison.goal), verdict(outcome),
            ]
        }
        return columns([header] + rows)
    }

    static func json(_ outcomes: [Outcome]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(machine: .current, outcomes: outcomes.map(Document.Row.init))
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    private static func side(_ contender: Contender, _ summary: Summary) -> String {
        let spread = "\(time(summary.fastest)) to \(time(summary.slowest))"
        return "\(time(summary.median))  \(contender.name) [\(contender.version)], \(spread)"
    }

    private static func peerSide(_ outcome: Outcome) -> String {
        switch (outcome.comparison.peer, outcome.peer) {
        case (.present(let contender), let summary?): side(contender, summary)
        case (.missing(let reason), _): "peer missing: \(reason)"
        case (.present(let contender), nil): "peer not measured: \(contender.name)"
        }
    }

    private static func verdict(_ outcome: Outcome) -> String {
        switch outcome.isReached {
        case true?: "reached"
        case false?: "NOT REACHED"
        case nil: outcome.peer == nil ? "peer missing" : "–"
        }
    }

    private static func ratio(_ outcome: Outcome) -> String {
        outcome.ratio.map { String(format: "%.2f×", $0) } ?? "–"
    }

    private static func goal(_ goal: Goal) -> String {
        let parts = [
            goal.ratio.map { String(format: "≥ %g×", $0) },
            goal.limit.map { "≤ \(time($0.nanoseconds))" },
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

/// The JSON form.
private struct Document: Codable {
    let machine: Machine
    let outcomes: [Row]

    struct Row: Codable {
        let name: String
        let subject: Side
        let peer: Side?
        let missingPeer: String?
        let ratio: Double?
        let goalRatio: Double?
        let goalNanoseconds: Double?
        let reached: Bool?

        init(_ outcome: Outcome) {
            let comparison = outcome.comparison
            name = comparison.name
            subject = Side(comparison.subject, outcome.subject)
            ratio = outcome.ratio
            goalRatio = comparison.goal.ratio
            goalNanoseconds = comparison.goal.limit?.nanoseconds
            reached = outcome.isReached
            switch comparison.peer {
            case .present(let contender):
                peer = outcome.peer.map { Side(contender, $0) }
                missingPeer = nil
            case .missing(let reason):
                peer = nil
                missingPeer = reason
            }
        }
    }

    struct Side: Codable {
        let name: String
        let version: String
        let nanoseconds: Summary

        init(_ contender: Contender, _ summary: Summary) {
            name = contender.name
            version = contender.version
            nanoseconds = summary
        }
    }
}
