import AsyncPrimitives

/// The bytes of an answer as they came, to be read on the caller's side of the client's thread.
struct RawResponse: Sendable {
    let head: [UInt8]
    let body: [UInt8]
    let remoteAddress: String?
}

/// One hop under way, and the one caller who waits for it.
///
/// Whoever comes first settles it: the client's thread with an answer or an error, or the caller's cancellation.
final class Transfer: Sendable {
    let hop: Hop
    let deadline: ContinuousClock.Instant
    /// The time that the whole request had, for the error that says it passed.
    let timeout: Duration
    private let outcome = OneShot<RawResponse>()

    init(_ hop: Hop, deadline: ContinuousClock.Instant, timeout: Duration) {
        self.hop = hop
        self.deadline = deadline
        self.timeout = timeout
    }

    /// Settles the transfer; later calls change nothing.
    func finish(_ result: Result<RawResponse, HTTPClient.Error>) {
        outcome.resolve(result.mapError { $0 })
    }

    /// Waits for the answer; fails with ``HTTPClient/Error/cancelled`` as soon as the calling task is cancelled.
    ///
    /// - Parameter onCancel: Called then, on any thread.
    /// - Returns: The answer, or why there is none.
    func result(onCancel: @escaping @Sendable () -> Void) async -> Result<RawResponse, HTTPClient.Error> {
        do {
            return .success(try await outcome.value(onCancel: onCancel))
        } catch {
            return .failure(error as? HTTPClient.Error ?? .cancelled)
        }
    }
}
