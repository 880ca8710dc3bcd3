import Foundation

/// A network of its own for a child of this program, so that nothing on this machine is disturbed or disturbs.
struct Sandbox {
    /// The one of this machine, or why there is none.
    static let any = Result { () throws(Failure) in try Sandbox() }

    /// What unshare(1) needs here to make one.
    private let flags: String

    /// The first way that works: root's, then that of everybody, where the kernel allows user namespaces.
    ///
    /// - Throws: Why there is none.
    private init() throws(Failure) {
        var refusal = ""
        for flags in geteuid() == 0 ? ["-n", "-Urn"] : ["-Urn"] {
            switch Result(catching: { try Command.run(["unshare", flags, "--", "ip", "link", "show", "lo"]) })
            {
            case .success(let command) where command.status == 0:
                self.flags = flags
                return
            case .success(let command): refusal = command.errors
            case .failure(let error): refusal = "\(error)"
            }
        }
        throw Failure(description: "no network namespace can be made here: \(refusal)")
    }

    /// Lets a child measure an observation.
    func measure(_ observation: Observation, rounds: Int) throws -> Outcome {
        let role = Role.observer(observation, rounds: rounds)
        let command = try Command.run(["unshare", flags, "--", Child.ownPath] + role.arguments)
        guard command.status == 0 else {
            throw Failure(description: "\(observation.name): \(command.errors)")
        }
        return try JSONDecoder().decode(Outcome.self, from: command.output)
    }
}
