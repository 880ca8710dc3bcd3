extension HTTPClient {
    /// The reason why a request got no whole answer.
    ///
    /// No text here shows the user info or a query value of a URL, unless ``Configuration/showsWholeURLsInErrors`` asks
    /// for it. Hosts are written `name:port`.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The URL is not an absolute URL with a host; the text is the URL without user info and query.
        case invalidURL(String)
        /// The URL's scheme is neither `http` nor `https`.
        case unsupportedScheme(String)
        /// The method or a header field can't be sent; the text says which and why, without its value.
        case invalidRequest(String)
        /// The host's name has no address, or the resolver did not answer.
        case nameNotResolved(host: String)
        /// Nothing listens at the host's port.
        case refused(host: String)
        /// The host can't be reached: no route, or the network is down.
        case unreachable(host: String)
        /// The host has an address that the client's rule refuses, and none that lets it connect; see
        /// ``HTTPClient/Configuration/allowsPrivateAddresses``.
        case forbiddenAddress(host: String)
        /// The proxy can't be reached, or gives no tunnel to an `https` server; the host is the proxy's.
        ///
        /// What it answers for an `http` server, 407 included, is the answer.
        case proxy(host: String, reason: String)
        /// There is no network interface of the name that the request goes through.
        case noInterface(String)
        /// The secure connection could not be made, most often because of the certificate.
        case tls(host: String, reason: String)
        /// A time limit passed.
        case timedOut(TimeLimit, after: Duration)
        /// The header or the body is larger than the limit, in bytes.
        case tooLarge(Part, limit: Int)
        /// The connection ended before any whole header arrived.
        case connectionLost(host: String)
        /// The body ended early or is framed wrongly; what came is dropped.
        case truncatedBody
        /// The answer breaks the rules of HTTP.
        case malformedResponse(String)
        /// There were more redirects than the limit.
        case tooManyRedirects(limit: Int)
        /// A redirect leads where this client doesn't follow; the text says why.
        case badRedirect(String)
        /// The server answered, but with a status other than 200 to 299; thrown by `data(for:)` and
        /// ``HTTPClient/download(_:to:progress:)`` alone; the latter takes 200 only.
        case unsuccessful(status: Int)
        /// A download's file can't be written, or the file of a body can't be read; the text is the system's, such as
        /// `No space left on device`.
        case file(path: String, reason: String)
        /// The stream that makes the request's body threw; the text is that of its error.
        case bodyFailed(reason: String)
        /// As many requests run and wait as the client's limit allows.
        case overloaded(limit: Int)
        /// The calling task was cancelled.
        case cancelled
        /// The client was closed.
        case closed
        /// The system or libcurl failed in a way that is no fault of the server, such as lack of memory.
        case system(String)
    }
}

extension HTTPClient.Error {
    /// The limit that passed.
    public enum TimeLimit: Hashable, Sendable {
        /// Name, connection and TLS handshake took too long.
        case connect
        /// Nothing came and nothing went for too long.
        case idle
        /// The whole request took too long.
        case total
    }

    /// The part of an answer that was too large.
    public enum Part: Hashable, Sendable {
        /// All header lines together.
        case header
        /// The body, after decoding.
        case body
    }
}

extension HTTPClient.Error: CustomStringConvertible {
    /// One sentence that says what happened and what to do.
    public var description: String {
        switch self {
        case .invalidURL(let url): "Give an absolute http or https URL with a host instead of “\(url)”."
        case .unsupportedScheme(let scheme): "Use an http or https URL; “\(scheme)” is not spoken here."
        case .invalidRequest(let reason): "Correct the request: \(reason)."
        case .nameNotResolved(let host): "Check the name and the network: “\(host)” has no address."
        case .refused(let host): "Check the port and that the server runs: \(host) refused the connection."
        case .unreachable(let host): "Check the network: there is no way to \(host)."
        case .forbiddenAddress(let host):
            "Ask another host: \(host) is at an address that is not of the Internet."
        case .proxy(let host, let reason): "Check the proxy \(host): \(reason)."
        case .noInterface(let name): "Check the name: there is no network interface “\(name)”."
        case .tls(let host, let reason): "Check the certificate of \(host): \(reason)."
        case .timedOut(.connect, let limit): "Try again or raise the limit: no connection within \(limit)."
        case .timedOut(.idle, let limit): "Try again or raise the limit: nothing moved for \(limit)."
        case .timedOut(.total, let limit): "Try again or raise the limit: no whole answer within \(limit)."
        case .tooLarge(.header, let limit): "Raise the limit if needed: the header passed \(limit) bytes."
        case .tooLarge(.body, let limit): "Raise the limit if needed: the body passed \(limit) bytes."
        case .connectionLost(let host): "Try again: \(host) ended the connection without an answer."
        case .truncatedBody: "Try again: the body ended before it was complete."
        case .malformedResponse(let reason): "Report it to the server's owner: \(reason)."
        case .tooManyRedirects(let limit): "Check the URL: it led through more than \(limit) redirects."
        case .badRedirect(let reason): "Check the URL: \(reason)."
        case .unsuccessful(let status): "Check the URL: the server answered with status \(status)."
        case .file(let path, let reason): "Check the file “\(path)” and its place: \(reason)."
        case .bodyFailed(let reason): "Check what makes the request's body: \(reason)."
        case .overloaded(let limit): "Wait for answers or raise the limit: \(limit) requests are under way."
        case .cancelled: "The request was cancelled; send it again if it is still wanted."
        case .closed: "Make a new client: this one was closed."
        case .system(let reason): "Free resources and try again: \(reason)."
        }
    }
}
