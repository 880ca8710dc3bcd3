/// What is known about a host name, and when to look it up again; pure.
struct NameRecord {
    /// What the name stands for now.
    enum Answer: Equatable {
        /// The first lookup has not come back, and its time is not over.
        case pending
        case addresses([IPAddress])
        case failed
    }

    private(set) var answer = Answer.pending
    private var deadline: ContinuousClock.Instant?
    private var retry: ContinuousClock.Instant?
    private var backoff = Backoff(limit: .seconds(60))

    /// Notes that a lookup starts; on a new network, what failed on another one says nothing.
    mutating func begin(at now: ContinuousClock.Instant, timeout: Duration, isNewNetwork: Bool = false) {
        if isNewNetwork { backoff.reset() }
        deadline = now + timeout
        retry = nil
    }

    /// Takes in a result; one that comes after its time is dropped.
    ///
    /// - Returns: True when the answer is another than before.
    mutating func receive(_ lookup: Lookup, at now: ContinuousClock.Instant) -> Bool {
        guard deadline != nil else { return false }
        deadline = nil
        switch lookup {
        case .addresses(let addresses) where !addresses.isEmpty:
            backoff.reset()
            return set(.addresses(addresses))
        case .addresses, .unknownName:
            retry = now + backoff.pause()
            return set(.failed)
        case .failed:
            return fail(at: now)
        }
    }

    /// Looks at the clock: a lookup whose time is over has failed.
    ///
    /// - Returns: True when the answer is another than before.
    mutating func expire(at now: ContinuousClock.Instant) -> Bool {
        guard let end = deadline, now >= end else { return false }
        deadline = nil
        return fail(at: now)
    }

    func isRetryDue(at now: ContinuousClock.Instant) -> Bool {
        retry.map { now >= $0 } ?? false
    }

    /// When something is to be done without an event.
    var due: ContinuousClock.Instant? { deadline ?? retry }

    /// Addresses that were good stay in force when no name server answers any more.
    private mutating func fail(at now: ContinuousClock.Instant) -> Bool {
        retry = now + backoff.pause()
        if case .addresses = answer { return false }
        return set(.failed)
    }

    private mutating func set(_ new: Answer) -> Bool {
        defer { answer = new }
        return answer != new
    }
}
