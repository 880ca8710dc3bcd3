/// What to ask of a server: a method, a URL, header fields, a body, and how much time and memory the answer may take.
///
/// ```swift
/// var request = HTTPRequest(url: "https://example.org/logo.png")
/// request.headerFields["Accept"] = "image/png"
/// request.timeout = .seconds(5)
/// let response = try await HTTPClient.shared.response(for: request)
/// ```
///
/// Nothing is checked before the request is sent; then a bad URL, method or field is thrown as an
/// ``HTTPClient/Error``.
public struct HTTPRequest: Sendable, Hashable {
    /// The method, spelled as it is sent; `GET` unless said otherwise.
    ///
    /// Any token of RFC 9110 §9 but `CONNECT`. `POST`, `PUT` and `PATCH` without a body say `Content-Length: 0`.
    public var method: String

    /// The absolute `http` or `https` URL.
    ///
    /// Spaces and characters beyond ASCII in its path and query are percent-encoded. User info
    /// (`https://name:password@host/`) is sent as basic authentication and is never shown in an error. The
    /// fragment is not sent.
    public var url: String

    /// The fields to send beside those that the client writes itself (`Host`, `Accept-Encoding`).
    ///
    /// `Content-Length`, `Transfer-Encoding` and `Expect` are refused. A request with its own `Accept-Encoding` gets the
    /// body as the server coded it; any other gets it decoded.
    public var headerFields: HTTPFields

    /// What to send after the header; `nil`, the default, sends nothing.
    ///
    /// `HEAD` and `TRACE` can't have one (RFC 9110 §9.3). A server may answer before it has all of it: then that is the
    /// answer, and with a status of 300 or more the rest need not be sent.
    public var body: Body?

    /// How long all of it may take, from the call to the last byte, redirects and waiting for a free
    /// connection included; 60 seconds unless said otherwise.
    ///
    /// Measured by a clock that nobody can set.
    public var timeout: Duration

    /// How long name lookup, connection and TLS handshake may take together; `nil`, the default, takes the
    /// client's limit (``HTTPClient/Configuration/connectTimeout``).
    public var connectTimeout: Duration?

    /// How long nothing may come and nothing may go once there is a connection; `nil`, the default, sets no limit
    /// beside ``timeout``.
    ///
    /// It is for long transfers, which may take hours but must not hang. Time in which the program itself holds the
    /// transfer up, by reading slowly or by making the body slowly, does not count.
    public var idleTimeout: Duration?

    /// Who goes first where requests wait for a connection; normal unless said otherwise.
    public var priority: Priority

    /// What becomes of a redirect; followed unless said otherwise.
    public var redirects: RedirectPolicy

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

    /// Where to tell how far the request has come; `nil`, the default, tells nobody.
    public var progress: HTTPProgressMeter?

    /// Creates a request; what is not given here can be set afterwards.
    public init(
        method: String = "GET",
        url: String,
        headerFields: HTTPFields = [:],
        body: Body? = nil,
        timeout: Duration = .seconds(60),
        maximumBodySize: Int? = nil,
        interface: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headerFields = headerFields
        self.body = body
        self.timeout = timeout
        self.maximumBodySize = maximumBodySize
        self.interface = interface
        priority = .normal
        redirects = .follow
    }
}
