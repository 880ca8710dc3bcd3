/// Whatever can answer an HTTP request.
///
/// Code that takes `any HTTPTransport` instead of an ``HTTPClient`` can be tested without a server, by a
/// ``ScriptedTransport``.
///
/// ```swift
/// func isUp(_ url: String, over transport: any HTTPTransport) async -> Bool {
///     let response = try? await transport.response(for: HTTPRequest(url: url))
///     return response?.isSuccess ?? false
/// }
/// ```
public protocol HTTPTransport: Sendable {
    /// Returns the answer to a request.
    ///
    /// Cancelling the calling task ends the exchange and throws ``HTTPClient/Error/cancelled``.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The whole answer, whatever its status.
    /// - Throws: The reason why there is no whole answer.
    func response(for request: HTTPRequest) async throws(HTTPClient.Error) -> HTTPResponse
}
