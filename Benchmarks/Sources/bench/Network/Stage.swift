import Foundation

/// A network with one cable and a default route, and the watchers of it.
final class Stage {
    static let gateway: [UInt8] = [192, 0, 2, 1]
    /// How long a watcher may take to see what has happened.
    static let patienceSeconds = 5

    let routes: RouteSocket
    let subject: Watcher
    /// Missing with the reason.
    let peer: Result<Watcher, Failure>

    var watchers: [Watcher] { [subject] + ((try? peer.get()).map { [$0] } ?? []) }

    /// Builds all of it; returns when both watchers see the network and the kernel has no more to say about it.
    init() throws {
        try Self.ip(["link add near0 type veth peer name far0"])
        try Self.ip([
            "address add 192.0.2.2/24 dev near0", "link set lo up", "link set far0 up", "link set near0 up",
        ])
        routes = try RouteSocket()
        try routes.addRoute(via: Self.gateway)
        subject = try Watcher.subject()
        peer = Self.startPeer()
        guard try wait(untilOnline: true) else {
            throw Failure(description: "a watcher does not see a network that is there")
        }
        // Duplicate address detection of IPv6 takes up to two seconds, and the kernel tells of a lost carrier at
        // once only if there was no such news in the second before.
        try listen(seconds: 2.5)
    }

    deinit {
        try? Self.ip(["link del near0"])
    }

    /// Runs `ip` with all these lines.
    private static func ip(_ lines: [String]) throws {
        let command = try Command.run(["ip", "-batch", "-"], input: lines.joined(separator: "\n") + "\n")
        guard command.status == 0 else { throw Failure(description: "ip: \(command.errors)") }
    }

    private static func startPeer() -> Result<Watcher, Failure> {
        do {
            let watcher = try Watcher.peer()
            while watcher.label == nil { try watcher.readLines() }
            return .success(watcher)
        } catch {
            return .failure(Failure(description: "python3-gi does not work here: \(error)"))
        }
    }

    /// Waits until all watchers say so, or their time is over.
    ///
    /// - Returns: True when they do.
    func wait(untilOnline isOnline: Bool) throws -> Bool {
        let end = monotonicNow() + UInt64(Self.patienceSeconds) * 1_000_000_000
        while watchers.contains(where: { $0.isOnline != isOnline }), monotonicNow() < end {
            try listen(until: end)
        }
        return watchers.allSatisfy { $0.isOnline == isOnline }
    }

    /// Lets time pass and takes in what watchers say meanwhile.
    func listen(seconds: Double) throws {
        let end = monotonicNow() + UInt64(seconds * 1e9)
        while monotonicNow() < end { try listen(until: end) }
    }

    /// Takes in what comes next.
    private func listen(until end: UInt64) throws {
        let watchers = watchers
        var entries = watchers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let now = monotonicNow()
        let milliseconds = end > now ? Int32((end - now) / 1_000_000) + 1 : 0
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
        for (watcher, entry) in zip(watchers, entries) where entry.revents != 0 { try watcher.readLines() }
    }
}
