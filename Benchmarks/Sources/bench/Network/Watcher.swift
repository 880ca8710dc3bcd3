import Foundation

/// A process that prints a line for each change it sees.
final class Watcher {
    private let child: Child
    private var unread: [UInt8] = []
    private(set) var label: Label?
    private(set) var sightings: [Sighting] = []

    /// The library's.
    static func subject() throws -> Watcher {
        try Watcher([Child.ownPath] + Role.watcher.arguments)
    }

    /// GLib's, kept by the variable from asking a daemon, which would tell of another network than this one.
    static func peer() throws -> Watcher {
        // From Benchmarks/Sources/bench/Network to Benchmarks/Peers.
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = sources.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Peers/glib-network-monitor.py").path
        // The system's Python, because that is the one python3-gi is installed for.
        return try Watcher(["/usr/bin/python3", script], ["GIO_USE_NETWORK_MONITOR": "netlink"])
    }

    private init(_ words: [String], _ variables: [String: String] = [:]) throws {
        child = try Child(words, variables: variables)
    }

    var descriptor: Int32 { child.output }
    var isOnline: Bool? { sightings.last?.isOnline }

    func stop() { kill(child.pid, SIGSTOP) }
    func goOn() { kill(child.pid, SIGCONT) }

    /// How long after a moment it saw the network as it is; `nil` when it has not.
    func delay(since start: UInt64, untilOnline isOnline: Bool) -> Double? {
        sightings.first { $0.time >= start && $0.isOnline == isOnline }.map { Double($0.time - start) }
    }

    /// Takes in what it has printed; call it when the descriptor is readable.
    func readLines() throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
            throw Failure(description: "\(label?.name ?? "a watcher") ended with \(child.waitForEnd())")
        }
        unread += buffer[..<count]
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            take(String(decoding: unread[..<end], as: UTF8.self))
            unread.removeSubrange(...end)
        }
    }

    private func take(_ line: String) {
        if line.hasPrefix("ready\t") {
            let words = line.split(separator: "\t").map(String.init)
            label = Label(name: words[1], version: words[2])
        } else {
            let words = line.split(separator: " ")
            sightings.append(Sighting(time: UInt64(words[0]) ?? 0, isOnline: words[1] == "1"))
        }
    }
}

/// What a watcher said, and when.
struct Sighting {
    let time: UInt64
    let isOnline: Bool
}
