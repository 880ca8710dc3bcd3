/// What to ask of a server: a method, a URL, header fields, and how much time and memory the answer may take.
///
/// ```swift
/// var request = HTTPRequest(url: "https://example.org/logo.png")
/// request.headerFields["Accept"] = "image/png"
/// request.timeout = .seconds(5)
/// let response = try await HTTPClient.shared.response(for: request)
/// ```
///
/// Nothing is checked before the request is sent; then a bad URL, method or field is thrown as an
/// ``HTTPClient/Error``. A request has no body yet.
public struct HTTPRequest: Sendable, Hashable {
    /// The method, spelled as it is sent; `GET` unless said otherwise.
    ///
    /// Any token of RFC 9110 §9 but `CONNECT`. `POST`, `PUT` and `PATCH` are sent with `Content-Length: 0`.
    public var method: String

    /// The absolute `http` or `https` URL.
    ///
    /// Spaces and characters beyond ASCII in its path and query are percent-encoded. User info
    /// (`https://name:password@host/`) is sent as basic authentication and is never shown in an error. The
    /// fragment is not sent.
    public var url: String

    /// The fields to send beside those that the client writes itself (`Host`, `Accept-Encoding`).
    ///
    /// `Content-Length` and `Transfer-Encoding` are refused. A request with its own `Accept-Encoding` gets the
    /// body as the server coded it; any other gets it decoded.
    public var headerFields: HTTPFields

    /// How long all of it may take, from the call to the last byte, redirects and waiting for a free
    /// connection included; 60 seconds unless said otherwise.
    ///
    /// Measured by a clock that nobody can set.
    public var timeout: Duration

    /// The largest body to accept, in bytes as it comes and after decoding; `nil`, the default, takes
    /// the client's limit (``HTTPClient/Configuration/maximumBodySize``).
    public var maximumBodySize: Int?

    /// The network interface to go through, such as `wlan0`; `nil`, the default, leaves the way to the routing tables.
    ///
    /// Its name as `ip link` shows it. Packets leave by that interface only, even where the tables would choose another
    /// one, and answers are taken from it only (`SO_BINDTODEVICE`, socket(7)); there must be a route through it. Every
    /// user may do so since Linux 5.7; before, and without the right, the connection just comes from an address of the
    /// interface. The connection is made for this request and not used again. The host's name is looked up the usual
    /// way. An interface that is not there throws ``HTTPClient/Error/noInterface(_:)``.
    public var interface: String?

    /// Creates a request.
    public init(
        method: String = "GET",
        url: String,
        headerFields: HTTPFields = [:],
        timeout: Duration = .seconds(60),
        maximumBodySize: Int? = nil,
        interface: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headerFields = headerFields
        self.timeout = timeout
        self.maximumBodySize = maximumBodySize
        self.interface = interface
    }
}
