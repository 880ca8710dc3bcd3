/// A server's answer: status, header fields, and a body that may still be on its way.
///
/// Every status is an answer, 404 and 500 too: only an exchange that failed is an error.
///
/// ```swift
/// let response = try await HTTPClient.shared.response(for: HTTPRequest(url: "https://example.org/"))
/// let page = try await response.body.collect(upTo: 1 << 20)
/// ```
public struct HTTPResponse: Sendable {
    /// The status code, from 200 to 999; interim (1xx) answers are skipped.
    public var status: Int

    /// The header fields of the final answer; trailer fields are dropped.
    ///
    /// Where the body comes by gzip or brotli and is decoded, `Content-Encoding` and `Content-Length` are taken out,
    /// because they don't describe ``body``. With any other coding, or more than two, all is left as it came
    /// (RFC 9110 §8.4). Bytes that are not UTF-8 become U+FFFD.
    public var headerFields: HTTPFields

    /// The version of HTTP that the answer came by.
    public var version: HTTPVersion

    /// The URL that answered, after all redirects, without user info and fragment.
    public var url: String

    /// The body, decoded if it comes by gzip or brotli; empty for `HEAD`, 204 and 304.
    public var body: HTTPBody

    /// The IP address of the server that answered, such as `192.0.2.1` or `2001:db8::1`, after all redirects; of
    /// the proxy, where one was used.
    ///
    /// `nil` from a transport that has none, such as a ``ScriptedTransport`` that was given none.
    public var remoteAddress: String?

    /// Creates a response, as a scripted transport or a test needs.
    public init(
        status: Int,
        headerFields: HTTPFields = [:],
        url: String,
        body: HTTPBody = HTTPBody([]),
        version: HTTPVersion = .http11,
        remoteAddress: String? = nil
    ) {
        self.status = status
        self.headerFields = headerFields
        self.url = url
        self.body = body
        self.version = version
        self.remoteAddress = remoteAddress
    }

    /// Whether the status is from 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }
}
