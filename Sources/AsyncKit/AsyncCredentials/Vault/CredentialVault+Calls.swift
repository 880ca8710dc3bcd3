import AsyncPrimitives

extension CredentialVault {
    /// Runs work on the vault's thread for a caller who may leave at any time.
    ///
    /// The work itself never suspends, so no other call comes between its steps. It is repeated while it
    /// throws `busy`, which it does only before it has changed anything; the pauses are spent off the thread,
    /// so that other calls go on.
    nonisolated func perform<Success: Sendable>(
        _ work: @escaping @Sendable (isolated CredentialVault, Deadline) throws(Error) -> Success
    ) async throws(Error) -> Success {
        // The task below is another one, which could be done before it learns that this one was cancelled.
        if Task.isCancelled { throw .cancelled }
        let outcome = OneShot<Result<Success, Error>>()
        let deadline = Deadline(after: waitingTime)
        let task = Task.immediate {
            var pause = Pause()
            while await !self.attempt(work, outcome, deadline) {
                try? await Task.sleep(for: min(pause.next(), deadline.remaining))
            }
        }
        do {
            return try await outcome.value().get()
        } catch let error as Error {
            throw error
        } catch {
            // Before the caller goes on, so that a commit that has not begun by now does not begin.
            task.cancel()
            throw .cancelled
        }
    }

    /// Tries once.
    ///
    /// False when somebody else has the file and there is time left.
    private func attempt<Success: Sendable>(
        _ work: (isolated CredentialVault, Deadline) throws(Error) -> Success,
        _ outcome: OneShot<Result<Success, Error>>,
        _ deadline: Deadline
    ) -> Bool {
        let result: Result<Success, Error>
        do throws(Error) {
            if Task.isCancelled { throw .cancelled }
            if deadline.hasPassed { throw .busy }
            result = .success(try work(self, deadline))
        } catch .busy where !deadline.hasPassed {
            return false
        } catch {
            result = .failure(error)
        }
        // From here, so that the caller goes on without another change of threads.
        outcome.resolve(.success(result))
        return true
    }
}

/// The time between two tries: longer each time up to 20 ms, and random, so that equals do not keep meeting.
private struct Pause {
    private var limit = 500

    mutating func next() -> Duration {
        defer { limit = min(limit * 2, 20_000) }
        return .microseconds(Int.random(in: limit / 4...limit))
    }
}
