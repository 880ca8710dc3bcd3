/// Two watchers look at the same thing at the same time: who notices, and how soon.
struct Observation: Measurement {
    let suite: String
    let title: String
    let goal: Goal
    /// Some things are quickly repeated, others need a new network for each try.
    let triesPerRound: Double
    let happening: Happening

    var name: String { "\(suite)/\(title)" }

    /// Observes in a network of its own.
    func measure(rounds: Int) async throws -> Outcome {
        switch Sandbox.any {
        case .success(let sandbox): try await onThread { try sandbox.measure(self, rounds: rounds) }
        case .failure(let refusal):
            Outcome(
                name: name,
                goal: goal,
                subject: .missing(refusal.description),
                peer: .missing("nothing to compare with")
            )
        }
    }

    /// Observes in the network of this process.
    func observe(rounds: Int) throws -> Outcome {
        var experiment = Experiment(happening: happening)
        for _ in 0..<max(1, Int(Double(rounds) * triesPerRound)) { try experiment.tryOnce() }
        return Outcome(name: name, goal: goal, subject: experiment.subject, peer: experiment.peer)
    }
}
