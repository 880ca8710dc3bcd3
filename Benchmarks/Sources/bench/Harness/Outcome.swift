/// What came out of a measurement.
struct Outcome: Sendable, Codable {
    let name: String
    let goal: Goal
    let subject: Finding
    let peer: Finding

    /// How many times faster the library's median is, or how many times less memory it takes; `nil` when one of
    /// them is no number.
    var ratio: Double? {
        switch (subject, peer) {
        case (.times(_, let subject), .times(_, let peer)): peer.median / subject.median
        case (.memory(_, let subject), .memory(_, let peer)): Double(peer.bytes) / Double(subject.bytes)
        default: nil
        }
    }

    /// Whether the promise is kept; `nil` when nothing was promised or nothing could be compared.
    var isReached: Bool? {
        switch (subject, peer) {
        case (.missing, _): nil
        case (.wrong, _): goal.isNone ? nil : false
        // Never is later than any time.
        case (.times(_, let times), .wrong): goal.isReached(ratio: .infinity, time: times.medianDuration)
        case (.times(_, let times), _): goal.isReached(ratio: ratio, time: times.medianDuration)
        case (.memory(_, let peak), _): goal.isReached(ratio: ratio, bytes: peak.bytes)
        }
    }
}

/// What came out for one side.
enum Finding: Sendable, Codable {
    case times(Label, Summary)
    case memory(Label, Peak)
    /// It did not do what it should.
    case wrong(Label, Misses)
    /// It is not on this machine, or nothing can be measured here; why.
    case missing(String)
}

/// What was measured, and which version of it.
struct Label: Sendable, Codable {
    let name: String
    let version: String
}

/// The most memory that something took at once beside what its process held before.
struct Peak: Sendable, Codable {
    let bytes: Int
    /// In how many processes it was measured; the greatest counts.
    let samples: Int
}

/// How often something was still not right when the wait for it ended.
struct Misses: Sendable, Codable {
    let count: Int
    let tries: Int
    let waitedSeconds: Int
}

/// What was measured of one side, in nanoseconds for one operation.
struct Summary: Sendable, Codable {
    let median: Double
    let fastest: Double
    let slowest: Double
    /// 99 of 100 samples were not slower; `nil` where there are too few of them to say.
    let percentile99: Double?
    let operations: Int
    let samples: Int

    /// There must be at least one sample.
    init(of nanoseconds: [Double], operations: Int) {
        let sorted = nanoseconds.sorted()
        median = sorted[sorted.count / 2]
        fastest = sorted[0]
        slowest = sorted[sorted.count - 1]
        percentile99 = sorted.count < 100 ? nil : sorted[sorted.count * 99 / 100]
        self.operations = operations
        samples = sorted.count
    }

    var medianDuration: Duration { .nanoseconds(Int64(median)) }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
