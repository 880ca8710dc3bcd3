import Foundation

/// What this program does when it starts itself again.
enum Role {
    /// Measures one observation in the network that it finds itself in, and prints the outcome.
    case observer(Observation, rounds: Int)
    /// Prints what a ``ReachabilityMonitor`` says.
    case watcher

    private static let observerWord = "role:observer"
    private static let watcherWord = "role:watcher"

    /// `nil` when the arguments are those of a user.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case Self.watcherWord: self = .watcher
        case Self.observerWord:
            guard arguments.count == 3, let rounds = Int(arguments[2]),
                let observation = ReachabilitySuite.observations.first(where: { $0.name == arguments[1] })
            else { return nil }
            self = .observer(observation, rounds: rounds)
        default: return nil
        }
    }

    var arguments: [String] {
        switch self {
        case .observer(let observation, let rounds): [Self.observerWord, observation.name, "\(rounds)"]
        case .watcher: [Self.watcherWord]
        }
    }

    func play() async throws {
        switch self {
        case .observer(let observation, let rounds):
            let outcome = try await onThread { try observation.observe(rounds: rounds) }
            FileHandle.standardOutput.write(try JSONEncoder().encode(outcome))
        case .watcher: await ReachabilityWatcher.run()
        }
    }
}
