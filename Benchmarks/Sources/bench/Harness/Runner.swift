/// Measures a comparison: warm-up, then A B A B, so that what disturbs the machine disturbs both.
struct Runner: Sendable {
    let rounds: Int
    let sampleTime: Duration

    func measure(_ comparison: Comparison) async throws -> Outcome {
        var subject = try await prepare(comparison.subject)
        guard case .present(let contender) = comparison.peer else {
            for _ in 0..<rounds { try await subject.sample() }
            return Outcome(comparison: comparison, subject: subject.summary, peer: nil)
        }
        var peer = try await prepare(contender)
        for _ in 0..<rounds {
            try await subject.sample()
            try await peer.sample()
        }
        return Outcome(comparison: comparison, subject: subject.summary, peer: peer.summary)
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

    var summary: Summary {
        let sorted = nanoseconds.sorted()
        return Summary(
            median: sorted[sorted.count / 2],
            fastest: sorted[0],
            slowest: sorted[sorted.count - 1],
            operations: operations,
            samples: sorted.count
        )
    }
}

/// What was measured of one contender, in nanoseconds for one operation.
struct Summary: Sendable, Codable {
    let median: Double
    let fastest: Double
    let slowest: Double
    let operations: Int
    let samples: Int
}

/// A comparison and what came out.
struct Outcome: Sendable {
    let comparison: Comparison
    let subject: Summary
    let peer: Summary?

    var ratio: Double? { peer.map { $0.median / subject.median } }

    var isReached: Bool? {
        comparison.goal.isReached(ratio: ratio, time: .nanoseconds(Int64(subject.median)))
    }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
