/// What a client of the web server is asked to do: get one file again and again, so many at once.
struct Load: Sendable {
    let url: String
    let size: Int
    let concurrency: Int

    /// The same for every client.
    static let maximumConnections = 64

    /// Lets each of the tasks do its share, and returns the time until the last one is done.
    func run(
        _ operations: Int,
        get: @escaping @Sendable () async throws -> (status: Int, size: Int)
    ) async throws -> Duration {
        try await ContinuousClock().measure {
            try await withThrowingTaskGroup { group in
                for worker in 0..<concurrency {
                    let share = (operations + worker) / concurrency
                    group.addTask { for _ in 0..<share { try check(try await get()) } }
                }
                try await group.waitForAll()
            }
        }
    }

    private func check(_ answer: (status: Int, size: Int)) throws {
        guard answer == (200, size) else {
            throw Failure(description: "\(url): status \(answer.status) and \(answer.size) bytes")
        }
    }
}
