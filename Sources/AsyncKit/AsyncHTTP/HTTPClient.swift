/// A client for HTTP.
public actor HTTPClient: HTTPTransport {
    /// The client that most programs need; it is never closed.
    public static let shared = HTTPClient()

    private let configuration: Configuration

    /// Creates a client; its thread starts with the first request.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Returns the answer to a request.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The whole answer, whatever its status.
    /// - Throws: The reason why there is no whole answer.
    public nonisolated func response(for request: HTTPRequest) async throws(Error) -> HTTPResponse {
        throw .closed
    }
}
