extension HTTPClient {
    /// The limits and rules of a client; each has a default that suits most programs.
    ///
    /// A limit below its smallest useful value counts as that value: 1 for connections and requests, 0 for the
    /// others.
    public struct Configuration: Sendable, Hashable {
        /// The largest body in bytes, as it comes and after decoding; 64 MiB.
        ///
        /// A body that is coded takes memory in both forms for a moment.
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
        public var idleTimeout = Duration.seconds(60)

        /// A file of certificates in PEM form to trust instead of the system's; `nil` takes the system's.
        public var certificateAuthorityFile: String?

        /// The `User-Agent` of requests that don't name their own; `AsyncKit`.
        public var userAgent = "AsyncKit"

        /// Creates a configuration with the defaults.
        public init() {}
    }
}
