/// One row of the report: the library's way and the usual way of doing the same thing.
struct Comparison: Sendable {
    let suite: String
    let title: String
    let subject: Contender
    let peer: Peer
    var goal = Goal()

    var name: String { "\(suite)/\(title)" }
}

/// One way of doing it, and which version of what it is.
struct Contender: Sendable {
    let name: String
    let version: String
    /// Does it so many times and returns the time that took, without what was set up before.
    let run: @Sendable (_ operations: Int) async throws -> Duration
}

enum Peer: Sendable {
    case present(Contender)
    /// What is compared with is not on this machine, and why.
    case missing(String)
}

/// What the library promises; a missing number is no promise.
struct Goal: Sendable, Codable {
    /// How many times faster than the peer, at least.
    var ratio: Double?
    /// How long one operation may take, at most.
    var limit: Duration?
    /// How many bytes a process may have taken, at most.
    var memory: Int?

    var isNone: Bool { ratio == nil && limit == nil && memory == nil }

    /// Whether the medians keep the promise; `nil` when nothing was promised or nothing could be compared.
    func isReached(ratio measured: Double?, time: Duration) -> Bool? {
        if let limit, time > limit { return false }
        guard let ratio else { return limit == nil ? nil : true }
        return measured.map { $0 >= ratio }
    }

    func isReached(ratio measured: Double?, bytes: Int) -> Bool? {
        if let memory, bytes > memory { return false }
        guard let ratio else { return memory == nil ? nil : true }
        return measured.map { $0 >= ratio }
    }
}
