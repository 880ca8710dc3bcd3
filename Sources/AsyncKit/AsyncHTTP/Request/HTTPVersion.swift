/// A version of HTTP, as an answer came by it.
public enum HTTPVersion: String, Sendable, Hashable, CustomStringConvertible {
    /// HTTP/1.0, RFC 1945.
    case http10 = "HTTP/1.0"
    /// HTTP/1.1, RFC 9112.
    case http11 = "HTTP/1.1"
    /// HTTP/2, RFC 9113.
    case http2 = "HTTP/2"
    /// HTTP/3, RFC 9114; not spoken by this client, but another transport may.
    case http3 = "HTTP/3"

    /// The name as the RFCs write it, such as `HTTP/1.1`.
    public var description: String { rawValue }
}
