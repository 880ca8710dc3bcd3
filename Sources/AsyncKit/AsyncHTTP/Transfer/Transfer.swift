import AsyncPrimitives

/// The header of an answer as it came, to be read on the caller's side of the client's thread.
struct RawHead: Sendable {
    let bytes: [UInt8]
    var version = HTTPVersion.http11
    let remoteAddress: String?
}

/// One hop under way: the caller who waits for its header, and the body that follows.
///
/// Whoever comes first settles it: the client's thread with an answer or an error, or the caller's cancellation.
final class Transfer: Sendable {
    let hop: Hop
    let upload: Upload
    let deadline: ContinuousClock.Instant
    let body = BodyChannel()
    private let head = OneShot<RawHead>()

    init(_ hop: Hop, _ upload: Upload = .none, deadline: ContinuousClock.Instant) {
        self.hop = hop
        self.upload = upload
        self.deadline = deadline
    }

    /// The error for a deadline that has passed.
    var lateness: HTTPClient.Error { .timedOut(.total, after: hop.request.timeout) }

    /// Hands over the header; later calls change nothing.
    func deliver(_ head: RawHead) {
        self.head.resolve(.success(head))
    }

    /// Settles the transfer; later calls change nothing.
    ///
    /// The body first, so that the reader of a small answer finds all of it at once.
    func finish(_ result: Result<RawHead, HTTPClient.Error>) {
        body.finish(result.map { _ in })
        upload.close()
        head.resolve(result.mapError { $0 })
    }

    /// Waits for the header; fails with ``HTTPClient/Error/cancelled`` as soon as the calling task is cancelled.
    ///
    /// - Parameter onCancel: Called then, on any thread.
    /// - Returns: The header, or why there is none.
    func result(onCancel: @escaping @Sendable () -> Void) async -> Result<RawHead, HTTPClient.Error> {
        do {
            return .success(try await head.value(onCancel: onCancel))
        } catch {
            return .failure(error as? HTTPClient.Error ?? .cancelled)
        }
    }
}
