/// Measures a comparison: warm-up, then A B A B, so that what disturbs the machine disturbs both.
struct Runner: Sendable {
    let rounds: Int
    let sampleTime: Duration

    func measure(_ comparison: Comparison) async throws -> Outcome {
        let (subject, peer) = try await findings(comparison)
        return Outcome(name: comparison.name, goal: comparison.goal, subject: subject, peer: peer)
    }

    private func findings(_ comparison: Comparison) async throws -> (Finding, Finding) {
        var subject = try await prepare(comparison.subject)
        switch comparison.peer {
        case .missing(let reason):
            for _ in 0..<rounds { try await subject.sample() }
            return (subject.finding, .missing(reason))
        case .present(let contender):
            var peer = try await prepare(contender)
            for _ in 0..<rounds {
                try await subject.sample()
                try await peer.sample()
            }
            return (subject.finding, peer.finding)
        }
    }

    /// Doubles the number of operations until one sample takes long enough to be measured well.
    private func prepare(_ contender: Contender) async throws -> Samples {
        var operations = 16
        while try await contender.run(operations) < sampleTime, operations < 1 << 28 {
            operations *= 2
        }
        return Samples(contender: contender, operations: operations)
    }
}

/// The samples of one contender.
private struct Samples {
    let contender: Contender
    let operations: Int
    private var nanoseconds: [Double] = []

    init(contender: Contender, operations: Int) {
        self.contender = contender
        self.operations = operations
    }

    mutating func sample() async throws {
        let time = try await contender.run(operations)
        nanoseconds.append(time.nanoseconds / Double(operations))
    }

    var finding: Finding {
        let label = Label(name: contender.name, version: contender.version)
        return .times(label, Summary(of: nanoseconds, operations: operations))
    }
}

extension Comparison: Measurement {
    func measure(rounds: Int) async throws -> Outcome {
        try await Runner(rounds: rounds, sampleTime: .milliseconds(20)).measure(self)
    }
}
