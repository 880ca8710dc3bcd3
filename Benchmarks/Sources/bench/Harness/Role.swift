import Foundation

/// What this program does when it starts itself again.
enum Role {
    /// Measures one observation in the network that it finds itself in, and prints the outcome.
    case observer(Observation, rounds: Int)
    /// Prints what a ``ReachabilityMonitor`` says.
    case watcher
    /// Reads a large file slowly, and prints the most memory that took.
    case reader(SlowReader, url: String)

    private static let observerWord = "role:observer"
    private static let watcherWord = "role:watcher"
    private static let readerWord = "role:reader"

    /// `nil` when the arguments are those of a user.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case Self.watcherWord: self = .watcher
        case Self.observerWord:
            guard arguments.count == 3, let rounds = Int(arguments[2]),
                let observation = ReachabilitySuite.observations.first(where: { $0.name == arguments[1] })
            else { return nil }
            self = .observer(observation, rounds: rounds)
        case Self.readerWord:
            guard arguments.count == 3, let reader = SlowReader(rawValue: arguments[1]) else { return nil }
            self = .reader(reader, url: arguments[2])
        default: return nil
        }
    }

    var arguments: [String] {
        switch self {
        case .observer(let observation, let rounds): [Self.observerWord, observation.name, "\(rounds)"]
        case .watcher: [Self.watcherWord]
        case .reader(let reader, let url): [Self.readerWord, reader.rawValue, url]
        }
    }

    func play() async throws {
        switch self {
        case .observer(let observation, let rounds):
            let outcome = try await onThread { try observation.observe(rounds: rounds) }
            FileHandle.standardOutput.write(try JSONEncoder().encode(outcome))
        case .watcher: await ReachabilityWatcher.run()
        case .reader(let reader, let url): print(try await reader.peakBytes(reading: url))
        }
    }
}
