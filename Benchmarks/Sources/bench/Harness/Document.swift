import Foundation

/// The report for programs.
struct Document: Encodable {
    let machine: Machine
    let outcomes: [Row]

    init(_ outcomes: [Outcome]) {
        machine = .current
        self.outcomes = outcomes.map(Row.init)
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    struct Row: Encodable {
        let name: String
        let subject: Side?
        let notMeasured: String?
        let peer: Side?
        let missingPeer: String?
        let ratio: Double?
        let goalRatio: Double?
        let goalNanoseconds: Double?
        let goalBytes: Int?
        let reached: Bool?

        init(_ outcome: Outcome) {
            name = outcome.name
            (subject, notMeasured) = Side.read(outcome.subject)
            (peer, missingPeer) = Side.read(outcome.peer)
            ratio = outcome.ratio
            goalRatio = outcome.goal.ratio
            goalNanoseconds = outcome.goal.limit?.nanoseconds
            goalBytes = outcome.goal.memory
            reached = outcome.isReached
        }
    }

    struct Side: Encodable {
        let name: String
        let version: String
        var nanoseconds: Summary?
        var peak: Peak?
        var wrong: Misses?

        /// The side, or why there is none.
        static func read(_ finding: Finding) -> (Side?, String?) {
            switch finding {
            case .times(let label, let summary):
                (Side(name: label.name, version: label.version, nanoseconds: summary), nil)
            case .memory(let label, let peak):
                (Side(name: label.name, version: label.version, peak: peak), nil)
            case .wrong(let label, let misses):
                (Side(name: label.name, version: label.version, wrong: misses), nil)
            case .missing(let reason): (nil, reason)
            }
        }
    }
}
