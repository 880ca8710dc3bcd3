/// A client for HTTP with streams both ways, which can be cancelled at any time and tells the truth about failures.
///
/// ```swift
/// let response = try await HTTPClient.shared.response(for: HTTPRequest(url: "https://example.org/"))
/// print(response.status, response.headerFields["Content-Type"] ?? "-")
/// ```
///
/// Transfers run in libcurl's multi interface on one thread of the client's own, which starts with the first
/// request, sleeps while there is nothing to do, and ends after ``Configuration/keepAliveTimeout`` without any. Calls
/// neither block the cooperative pool nor hop to the actor. Connections are kept and used again.
///
/// Rules that hold for every request:
/// - Redirects are followed to `http` and `https` only, never from `https` to `http`, and never in a circle;
///   `Authorization`, `Cookie`, `Proxy-Authorization`, `Host` and user info are not told to another origin (scheme,
///   host and port). 303 makes a `GET` of every method but `HEAD`, 301 and 302 of `POST`, without a body; all others go on
///   with theirs.
/// - A body that is shorter than promised, or whose chunks are broken, is an error. One that has neither a length
///   nor chunks ends with its connection; nobody can tell whether it is whole.
/// - Certificates are verified.
/// - `gzip` and `br` (brotli) are asked for and decoded; a body that ends early, or that fails gzip's checksum, is an
///   error too.
/// - A connection that was kept and turns out to be dead is replaced, and the request sent anew, whatever its method;
///   but with a file or a stream of which more than 128 KiB have gone, it throws ``Error/connectionLost(host:)``.
/// - `SIGPIPE` does no harm; sockets are not inherited by child processes that run another program. A child made by
///   `fork` without `exec` needs a client of its own; that of its parent throws ``Error/system(_:)`` there. Files are
///   not for such a child: ``AsyncPrimitives/ThreadPool/shared`` has no threads in it.
///
/// Each name lookup runs on a thread that libcurl starts for it. One that is cancelled, or too slow, is no longer
/// waited for; its thread ends when the system's resolver gives up (resolv.conf(5), `timeout` and `attempts`).
public actor HTTPClient: HTTPTransport {
    /// The client that most programs need.
    ///
    /// It lives as long as the program; closing it would close it for all.
    public static let shared = HTTPClient()

    /// The limits and rules that the client was made with.
    public nonisolated let configuration: Configuration

    private let loop: TransferLoop
    private let rules: Hop.Rules

    /// Creates a client, which costs nothing before its first request.
    ///
    /// - Parameter configuration: Limits and rules.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loop = TransferLoop(configuration)
        rules = Hop.Rules(configuration)
    }

    deinit {
        loop.shutDown()
    }

    /// Returns the answer to a request as soon as its header is there; the body follows as a stream.
    ///
    /// Every status is an answer. Cancelling the calling task ends the transfer, closes its connection and throws
    /// ``Error/cancelled`` at once; if the header came first, it is returned. Requests beyond the limits for
    /// connections wait in line, host by host, for as long as ``HTTPRequest/timeout`` allows. A transfer whose body
    /// nobody reads holds its connection until that time; release the response to end it.
    ///
    /// Runs on the caller's executor but for the transfer itself. The response keeps the client in use.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The final answer, after redirects.
    /// - Throws: The reason why there is no answer.
    public nonisolated func response(for request: HTTPRequest) async throws(Error) -> HTTPResponse {
        try loop.checkProcess()
        let deadline = ContinuousClock.now + request.timeout
        let mark = RequestMark(activity: configuration.activity, meter: request.progress)
        var hop = try Hop(request, rules)
        while true {
            let transfer = Transfer(hop, try await Upload(hop.body, until: deadline), deadline: deadline)
            let raw = try await loop.perform(transfer)
            // Made first: whatever is wrong with the header, and wherever it leads, the transfer ends with it.
            let reader = BodyReader(transfer, loop, owner: self)
            let head = try ResponseHead(raw.bytes)
            guard let next = try hop.redirected(by: head) else {
                let response = try hop.response(head, raw, reader)
                transfer.body.endWithBody(mark)
                return response
            }
            hop = next
        }
    }

    /// Returns the whole body of the answer to a request, if the status says success (200 to 299).
    ///
    /// Otherwise like ``response(for:)``.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The body.
    /// - Throws: ``Error/unsuccessful(status:)`` for any other status, or the reason why there is no whole answer.
    public nonisolated func data(for request: HTTPRequest) async throws(Error) -> [UInt8] {
        let response = try await response(for: request)
        guard response.isSuccess else { throw .unsuccessful(status: response.status) }
        return try await response.body.collect()
    }

    /// Returns the whole body that a URL is answered with, like ``data(for:)-(HTTPRequest)``.
    ///
    /// - Parameter url: An absolute `http` or `https` URL.
    /// - Returns: The body.
    /// - Throws: ``Error/unsuccessful(status:)`` for any status but success, or why there is no whole answer.
    public nonisolated func data(for url: String) async throws(Error) -> [UInt8] {
        try await data(for: HTTPRequest(url: url))
    }

    /// Ends every transfer with ``Error/closed`` and the client's thread with it, and waits until that is done.
    ///
    /// Later requests throw ``Error/closed``. Closing twice does no harm. A client that is merely released closes
    /// itself without anybody waiting. Cancellation of the calling task is ignored: it takes moments.
    public func close() async {
        await loop.close()
    }
}
