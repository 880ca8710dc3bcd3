/// Decides who may use a connection now: a limit for each host, one for all, those of a higher priority first, then
/// first come first served.
///
/// A host whose limit is reached holds up nobody else, and hosts that wait take turns.
struct AdmissionQueue<ID: Equatable> {
    private struct Guest {
        var id: ID
        var priority: HTTPRequest.Priority
    }

    private struct Host {
        var running = 0
        var waiting: [Guest] = []
        var isInTurn = false
    }

    private let maximum: Int
    private let maximumPerHost: Int
    private var hosts: [String: Host] = [:]
    private var turns: [String] = []
    private var running = 0
    /// How many wait with another priority than the usual one; without any, nobody has to look for them.
    private var waitingOutOfOrder = 0

    init(maximum: Int, maximumPerHost: Int) {
        self.maximum = max(1, maximum)
        self.maximumPerHost = max(1, maximumPerHost)
    }

    /// Adds one to its host's line, behind all that have its priority.
    mutating func enqueue(_ id: ID, for host: String, _ priority: HTTPRequest.Priority = .normal) {
        if priority != .normal { waitingOutOfOrder += 1 }
        let line = hosts[host, default: Host()].waiting
        let place = line.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
        hosts[host, default: Host()].waiting.insert(Guest(id: id, priority: priority), at: place)
        offerTurn(to: host)
    }

    /// The next one that may start, which counts as running from here on.
    mutating func next() -> ID? {
        guard running < maximum, let turn = nextTurn, var line = hosts[turns[turn]] else { return nil }
        let host = turns.remove(at: turn)
        // Taken out, so that the array below has one owner and is changed in place.
        hosts[host] = nil
        line.isInTurn = false
        let guest = line.waiting.removeFirst()
        if guest.priority != .normal { waitingOutOfOrder -= 1 }
        let id = guest.id
        line.running += 1
        running += 1
        hosts[host] = line
        offerTurn(to: host)
        return id
    }

    /// The first host in turn whose own first is not second to another's.
    private var nextTurn: Int? {
        if waitingOutOfOrder == 0 { return turns.isEmpty ? nil : 0 }
        let priorities = turns.map { hosts[$0]?.waiting.first?.priority ?? .low }
        return priorities.max().flatMap { priorities.firstIndex(of: $0) }
    }

    /// Gives back the connection of one that ran.
    mutating func finish(at host: String) {
        hosts[host]?.running -= 1
        running -= 1
        offerTurn(to: host)
        forgetIfUnused(host)
    }

    /// Takes one that has not started out of its line.
    mutating func withdraw(_ id: ID, from host: String) {
        if let place = hosts[host]?.waiting.firstIndex(where: { $0.id == id }),
            let guest = hosts[host]?.waiting.remove(at: place), guest.priority != .normal
        {
            waitingOutOfOrder -= 1
        }
        if let line = hosts[host], line.isInTurn, line.waiting.isEmpty {
            hosts[host]?.isInTurn = false
            turns.removeAll { $0 == host }
        }
        forgetIfUnused(host)
    }

    private mutating func offerTurn(to host: String) {
        guard let line = hosts[host], !line.isInTurn else { return }
        guard line.running < maximumPerHost, !line.waiting.isEmpty else { return }
        hosts[host]?.isInTurn = true
        turns.append(host)
    }

    private mutating func forgetIfUnused(_ host: String) {
        if let line = hosts[host], line.running == 0, line.waiting.isEmpty { hosts[host] = nil }
    }
}
