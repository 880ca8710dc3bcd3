extension HTTPClient {
    /// The limits and rules of a client; each has a default that suits most programs.
    ///
    /// A limit below its smallest useful value counts as that value: 1 for connections and requests, 0 for the
    /// others.
    public struct Configuration: Sendable, Hashable {
        /// The largest body in bytes, as it comes and after decoding; 64 MiB.
        ///
        /// A body that is coded takes memory in both forms for a moment. While it is read, each brotli coding also
        /// keeps a window of what came before: 16 MiB at most, about 25 MiB while it grows to that, a few KiB for
        /// a small body. A server can make it that large with 14 bytes, on each connection; a request with an
        /// `Accept-Encoding` of its own has none.
        /// A request's own ``HTTPRequest/maximumBodySize`` goes first.
        public var maximumBodySize = 64 * 1024 * 1024

        /// The most bytes that all header lines of one answer may take, interim answers and trailers
        /// included; 64 KiB.
        ///
        /// libcurl takes at most 100 KiB for one line, and may take at most 300 KiB for all.
        public var maximumHeaderSize = 64 * 1024

        /// How many redirects one request follows; 10.
        ///
        /// With 0, every redirect is an error.
        public var maximumRedirects = 10

        /// How many times one download asks for the rest of a body that was cut off; 3.
        ///
        /// With 0, it fails at once.
        public var maximumResumptions = 3

        /// How long name lookup, connection and TLS handshake may take together; 15 seconds.
        ///
        /// A request's own ``HTTPRequest/connectTimeout`` goes first.
        public var connectTimeout = Duration.seconds(15)

        /// How many connections to one host (scheme, name and port) are used at once; 16.
        public var maximumConnectionsPerHost = 16

        /// How many connections are used at once, and how many are kept for later; 64.
        public var maximumConnections = 64

        /// How many requests may run and wait for a connection at once; 4,096.
        ///
        /// One more throws ``HTTPClient/Error/overloaded(limit:)``.
        public var maximumRequests = 4096

        /// How long the client's thread and its open connections are kept without any request; 60 seconds.
        public var keepAliveTimeout = Duration.seconds(60)

        /// Whether HTTP/2 is spoken where a server offers it in the TLS handshake (ALPN, RFC 7301); true.
        ///
        /// `http` URLs are asked by HTTP/1.1 always.
        public var allowsHTTP2 = true

        /// Whether requests to one host share an HTTP/2 connection; false.
        ///
        /// With false, a connection carries one request at a time, as with HTTP/1.1, and a slow reader makes the
        /// server wait. With true, hosts are asked with fewer handshakes, but a server may send up to 32 MiB that a
        /// slow reader has not asked for, which libcurl keeps in memory: the size of its flow-control window.
        public var sharesHTTP2Connections = false

        /// A file of certificates in PEM form to trust instead of the system's; `nil` takes the system's.
        public var certificateAuthorityFile: String?

        /// The `User-Agent` of requests that don't name their own; `AsyncKit`.
        public var userAgent = "AsyncKit"

        /// Whether hosts at private and loopback addresses may be asked; true.
        ///
        /// Say false where others choose the URL, such as in a server that fetches what its users name, or they
        /// reach what only the server can reach:
        ///
        /// ```swift
        /// var configuration = HTTPClient.Configuration()
        /// configuration.allowsPrivateAddresses = false
        /// let client = HTTPClient(configuration: configuration)
        /// ```
        ///
        /// Each address is looked at after the name was resolved and just before it is connected to, so that neither
        /// a redirect nor a name whose address changes leads around the rule. Of a name with several addresses the
        /// good ones are tried; without any, ``HTTPClient/Error/forbiddenAddress(host:)`` is thrown and nothing was
        /// sent. Refused are loopback, link-local and multicast addresses, 0.0.0.0/8 and ::, those for private use
        /// (RFC 1918, RFC 6598, RFC 4193), broadcast, and what IANA keeps back (RFC 6890); and IPv6 addresses that
        /// stand for such an IPv4 address (IPv4-mapped and -compatible, 64:ff9b::/96, 6to4). Not known is a
        /// translator (NAT64) with a prefix of its own network, nor a public address of this machine.
        public var allowsPrivateAddresses = true

        /// Through which proxy servers are asked; what the environment says, unless said otherwise or
        /// ``allowsPrivateAddresses`` is false.
        public var proxy = Proxy.environment

        /// Whether an error shows the whole URL that it is about; false.
        ///
        /// With false, user info, query and fragment are left out of ``HTTPClient/Error/invalidURL(_:)`` and
        /// ``HTTPClient/Error/badRedirect(_:)``. Say true where errors are read by nobody who may not know them.
        public var showsWholeURLsInErrors = false

        /// Where the client's requests count while they are under way; ``NetworkActivity/shared``.
        ///
        /// A request counts once, redirects included, from the call until its body has come, or it fails, is cancelled
        /// or is released, whatever part of the body was read. With `nil` it counts nowhere.
        public var activity: NetworkActivity? = .shared

        /// Creates a configuration with the defaults.
        public init() {}
    }
}
