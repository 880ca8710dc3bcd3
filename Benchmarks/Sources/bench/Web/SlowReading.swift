import Foundation

/// A row that compares how much memory a process takes that reads a large body slowly.
struct SlowReading: Measurement {
    let name = "http/memory of a 200 MB body, slow reader"

    private let goal = Goal(memory: 24_000_000)
    /// One takes seconds, and what it takes varies little.
    private let maximumRounds = 3

    func measure(rounds: Int) async throws -> Outcome {
        try await measuring(name, goal) { server in
            let url = server.url(of: .large)
            let rounds = min(rounds, maximumRounds)
            return try await onThread {
                Outcome(
                    name: name,
                    goal: goal,
                    subject: try finding(of: .httpClient, url, rounds),
                    peer: try finding(of: .urlSession, url, rounds)
                )
            }
        }
    }

    private func finding(of reader: SlowReader, _ url: String, _ rounds: Int) throws -> Finding {
        let peaks = try (0..<rounds).map { _ in try peakBytes(of: reader, url) }
        return .memory(reader.label, Peak(bytes: peaks.max() ?? 0, samples: rounds))
    }

    /// In a process of its own, where nothing else has ever taken memory.
    private func peakBytes(of reader: SlowReader, _ url: String) throws -> Int {
        let command = try Command.run([Child.ownPath] + Role.reader(reader, url: url).arguments)
        let output = String(decoding: command.output, as: UTF8.self)
        guard command.status == 0, let bytes = Int(output.trimmingCharacters(in: .newlines)) else {
            throw Failure(description: "\(reader.rawValue): \(command.errors)")
        }
        return bytes
    }
}
