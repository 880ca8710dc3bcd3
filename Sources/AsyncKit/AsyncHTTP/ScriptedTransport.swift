import AsyncPrimitives

/// A transport that answers from a script instead of a network, for the tests of code that takes a transport.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.on("https://example.org/a", status: 200, body: Array("hello".utf8))
/// transport.on("https://example.org/b") { _ throws(HTTPClient.Error) in throw .truncatedBody }
/// ```
///
/// A URL is looked up as it is spelled. One without an answer throws ``HTTPClient/Error/refused(host:)``. Redirects
/// are not followed, and limits are not checked. A request of a cancelled task throws
/// ``HTTPClient/Error/cancelled`` before and after its answer was made. May be used from every thread; an answer's
/// closure runs on the task that asked.
public final class ScriptedTransport: HTTPTransport {
    /// What makes an answer.
    public typealias Answer = @Sendable (HTTPRequest) async throws(HTTPClient.Error) -> HTTPResponse

    private struct Script {
        var answers: [String: Answer] = [:]
        var requests: [HTTPRequest] = []
    }

    private let script = Lock(Script())

    /// Creates a transport that refuses every request.
    public init() {}

    /// The requests so far, the oldest first.
    public var requests: [HTTPRequest] { script.withLock { $0.requests } }

    /// Answers a URL by a fixed response from now on.
    ///
    /// - Parameters:
    ///   - url: The URL, exactly as the request will spell it.
    ///   - status: The status code.
    ///   - headerFields: The header fields.
    ///   - body: The body.
    ///   - remoteAddress: The address that the server is said to have.
    public func on(
        _ url: String,
        status: Int = 200,
        headerFields: HTTPFields = [:],
        body: [UInt8] = [],
        remoteAddress: String? = nil
    ) {
        let response = HTTPResponse(
            status: status,
            headerFields: headerFields,
            url: url,
            body: HTTPBody(body),
            remoteAddress: remoteAddress
        )
        on(url) { _ in response }
    }

    /// Answers a URL by what a closure returns or throws from now on; it may wait.
    ///
    /// - Parameters:
    ///   - url: The URL, exactly as the request will spell it.
    ///   - answer: Called once for each request.
    public func on(_ url: String, answer: @escaping Answer) {
        script.withLock { $0.answers[url] = answer }
    }

    /// Returns the scripted answer, and keeps the request in ``requests``.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: What the script says.
    /// - Throws: What the script says, or that nobody answers this URL.
    public func response(for request: HTTPRequest) async throws(HTTPClient.Error) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled }
        let answer = script.withLock { script in
            script.requests.append(request)
            return script.answers[request.url]
        }
        guard let answer else { throw .refused(host: request.url.withoutSecrets) }
        let response = try await answer(request)
        if Task.isCancelled { throw .cancelled }
        return response
    }
}
