import Foundation

/// A process that prints a line for each change it sees.
final class Watcher {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []
    private(set) var label: Label?
    private(set) var sightings: [Sighting] = []

    /// The library's.
    static func subject() throws -> Watcher {
        try Watcher(Command.ownPath, Role.watcher.arguments)
    }

    /// GLib's. The variable keeps it from asking a daemon, which would tell of another network than this one.
    static func peer() throws -> Watcher {
        // From Benchmarks/Sources/bench/Network to Benchmarks/Peers.
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = sources.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Peers/glib-network-monitor.py").path
        // The system's Python, because that is the one python3-gi is installed for.
        return try Watcher("/usr/bin/python3", [script], ["GIO_USE_NETWORK_MONITOR": "netlink"])
    }

    private init(_ path: String, _ arguments: [String], _ variables: [String: String] = [:]) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = Command.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try? output.fileHandleForWriting.close()
    }

    deinit {
        // Also ends one that is stopped.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var descriptor: Int32 { output.fileHandleForReading.fileDescriptor }
    var isOnline: Bool? { sightings.last?.isOnline }

    func stop() { kill(process.processIdentifier, SIGSTOP) }
    func goOn() { kill(process.processIdentifier, SIGCONT) }

    /// How long after a moment it saw the network as it is; `nil` when it has not.
    func delay(since start: UInt64, untilOnline isOnline: Bool) -> Double? {
        sightings.first { $0.time >= start && $0.isOnline == isOnline }.map { Double($0.time - start) }
    }

    /// Takes in what it has printed; call it when the descriptor is readable.
    func readLines() throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        if count <= 0 { throw Failure(description: "\(label?.name ?? process.executableURL?.path ?? "") has ended") }
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
