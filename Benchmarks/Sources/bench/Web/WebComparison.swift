/// A row that compares two clients of one web server, which runs for as long as it is measured.
struct WebComparison: Measurement {
    let file: WebFile
    let concurrency: Int
    let title: String
    let peer: @Sendable (Load) throws -> Contender
    let goal: Goal

    var name: String { "http/\(title)" }

    func measure(rounds: Int) async throws -> Outcome {
        try await measuring(name, goal) { server in
            let load = Load(url: server.url(of: file), size: file.size, concurrency: concurrency)
            let comparison = Comparison(
                suite: "http",
                title: title,
                subject: .httpClient(load),
                peer: .present(try peer(load)),
                goal: goal
            )
            // Long enough for many turns of each of the tasks.
            let runner = Runner(rounds: rounds, sampleTime: .milliseconds(100))
            return try await runner.measure(comparison)
        }
    }
}

/// Starts a web server for a measurement, and says so where there is none.
func measuring(
    _ name: String,
    _ goal: Goal,
    _ body: (WebServer) async throws -> Outcome
) async throws -> Outcome {
    let server: WebServer
    do throws(Failure) {
        server = try WebServer()
    } catch {
        let nothing = Finding.missing("nothing to compare with")
        return Outcome(name: name, goal: goal, subject: .missing(error.description), peer: nothing)
    }
    // Not before the clients have ended.
    defer { withExtendedLifetime(server) {} }
    return try await body(server)
}
