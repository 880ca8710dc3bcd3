internal import AsyncPrimitives

/// Tells how far one request has come, while it is under way.
///
/// ```swift
/// let meter = HTTPProgressMeter()
/// var request = HTTPRequest(method: "PUT", url: "https://example.org/film.mp4", timeout: .seconds(3600))
/// request.body = .file("film.mp4")
/// request.progress = meter
/// async let response = HTTPClient.shared.response(for: request)
/// for await progress in meter.values { print(progress.fractionSent ?? 0) }
/// print(try await response.status)
/// ```
///
/// Readers get the latest value and nothing that was replaced meanwhile, so a slow one holds up nothing. May be used
/// from every thread. A meter serves one request; what a later one with the same meter does is not told.
public final class HTTPProgressMeter: Sendable {
    private let state = State(HTTPProgress())

    /// Creates a meter that stands at nothing.
    public init() {}

    /// How far the request is now; nothing before it begins.
    public var current: HTTPProgress { state.latest ?? HTTPProgress() }

    /// The progress from now on, the current one first; a fresh stream at each access.
    ///
    /// It ends when the body of the answer has come or was released, or when the request failed or was cancelled, so
    /// not before the request was sent. Leaving the loop changes nothing for the request.
    public var values: AsyncStream<HTTPProgress> { state.stream }

    func show(_ progress: HTTPProgress) {
        state.set(progress)
    }

    func finish() {
        state.finish()
    }
}

extension HTTPProgressMeter: Hashable {
    /// Whether both are the same meter.
    public static func == (first: HTTPProgressMeter, second: HTTPProgressMeter) -> Bool { first === second }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
