/// The host names that are watched, each with what is known about it; for the thread of a hub.
struct NameBook {
    private let timeout: Duration
    private let lookups: LookupThreads
    private let report: LookupThreads.Report
    private var records: [String: (record: NameRecord, watches: Int)] = [:]
    /// The way to the Internet when names were looked up last.
    private var network: NetworkPath?

    init(timeout: Duration, lookups: LookupThreads, report: @escaping LookupThreads.Report) {
        self.timeout = timeout
        self.lookups = lookups
        self.report = report
    }

    func answer(for name: String) -> NameRecord.Answer {
        records[name]?.record.answer ?? .pending
    }

    mutating func add(_ name: String, at now: ContinuousClock.Instant) {
        if records[name] == nil {
            records[name] = (NameRecord(), 0)
            lookUp(name, at: now)
        }
        records[name]?.watches += 1
    }

    mutating func remove(_ name: String) {
        records[name]?.watches -= 1
        guard records[name]?.watches == 0 else { return }
        records[name] = nil
        lookups.withdraw(name)
    }

    /// True when the name now stands for something else.
    mutating func receive(_ lookup: Lookup, for name: String, at now: ContinuousClock.Instant) -> Bool {
        records[name]?.record.receive(lookup, at: now) ?? false
    }

    /// Ends lookups whose time is over and starts those that are tried again.
    ///
    /// - Returns: True when a name now stands for something else.
    mutating func expire(at now: ContinuousClock.Instant) -> Bool {
        var hasChanged = false
        for name in Array(records.keys) {
            if records[name]?.record.expire(at: now) == true { hasChanged = true }
            if records[name]?.record.isRetryDue(at: now) == true { lookUp(name, at: now) }
        }
        return hasChanged
    }

    /// Looks everything up again when the network is another one: names may stand for other addresses there.
    mutating func networkIs(_ path: NetworkPath, wasInterrupted: Bool, at now: ContinuousClock.Instant) {
        defer { network = path }
        guard let network, network != path || wasInterrupted else { return }
        for name in Array(records.keys) { lookUp(name, at: now, isNewNetwork: true) }
    }

    /// When something is to be done without an event.
    var due: ContinuousClock.Instant? {
        records.values.compactMap(\.record.due).min()
    }

    private mutating func lookUp(
        _ name: String,
        at now: ContinuousClock.Instant,
        isNewNetwork: Bool = false
    ) {
        records[name]?.record.begin(at: now, timeout: timeout, isNewNetwork: isNewNetwork)
        lookups.lookUp(name, isNewNetwork: isNewNetwork, report: report)
    }
}
