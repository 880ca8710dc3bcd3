/// A small HTTP/1.1 server, on loopback unless told otherwise, that answers, or misbehaves, as a test tells it.
///
/// ```swift
/// let origin = try HTTPOrigin()
/// origin.on("/a.png", .respond(headers: [("Content-Type", "image/png")], body: bytes))
/// let url = origin.url("/a.png")
/// …
/// #expect(origin.requestCount("/a.png") == 1)
/// ```
///
/// It speaks keep-alive, takes each connection on a thread of its own, and stops with ``stop()`` or when it is
/// released. A path nobody described is answered by 404.
public final class HTTPOrigin: Sendable {
    /// The port.
    public let port: UInt16

    private let address: String

    private let core: Core

    /// Listens and starts to accept.
    ///
    /// - Parameters:
    ///   - address: An IPv4 address of this machine, or of the namespace of the calling thread.
    ///   - port: The port, or 0 for one that is free.
    ///   - requestLimit: How many requests the log keeps; with 0 it takes no memory for them, only counts.
    /// - Throws: ``SocketFailure`` if the system gives no socket.
    public init(address: String = "127.0.0.1", port: UInt16 = 0, requestLimit: Int = 10_000) throws {
        let listener = try Socket.listening(on: address, port)
        self.address = address
        self.port = try listener.localPort()
        core = try Core(requestLimit: requestLimit)
        core.accept(on: listener)
    }

    deinit {
        stop()
    }

    /// Says how a path is answered from now on; the query of a request is not part of the path.
    public func on(_ path: String, _ behaviour: Behaviour) {
        core.setBehaviour(behaviour, for: path)
    }

    /// The URL of a path, which starts with a slash.
    public func url(_ path: String) -> String {
        "http://\(address):\(port)\(path)"
    }

    /// What happened so far.
    public var log: Log { core.log }

    /// How many requests for a path came so far.
    public func requestCount(_ path: String) -> Int {
        log.requestCounts[path, default: 0]
    }

    /// The requests for a path, the oldest first; only the first 10,000 of all requests are kept, unless it was made otherwise.
    public func requests(_ path: String) -> [Request] {
        log.requests.filter { $0.path == path }
    }

    /// Waits until what happened meets a condition; returns early, without it, when the task is cancelled.
    ///
    /// - Parameter condition: Called again after each change, on the waiting task.
    public func until(_ condition: @Sendable (Log) -> Bool) async {
        await core.until(condition)
    }

    /// Ends the listener and every connection; returns at once, and the threads end by themselves.
    public func stop() {
        core.stop()
    }
}

extension HTTPOrigin {
    /// What an origin saw.
    public struct Log: Sendable {
        /// The requests in order; only the first 10,000, unless the origin was made otherwise.
        public var requests: [Request] = []
        /// How many requests came for each path.
        public var requestCounts: [String: Int] = [:]
        /// How many connections were accepted.
        public var acceptedConnections = 0
        /// How many connections are open now.
        public var openConnections = 0
        /// How often, for each path, the client closed the connection before the answer was complete.
        public var abandoned: [String: Int] = [:]
        /// How many bytes of endless bodies and headers went out.
        public var poured = 0
    }

    /// A request as it came.
    public struct Request: Sendable {
        /// The method.
        public var method: String
        /// The request target: path and query.
        public var target: String
        /// The header lines in order, names as they were spelled.
        public var headers: [(name: String, value: String)]
        /// The body, put together if it came in chunks; only the first 64 MiB, and nothing if it was answered early.
        public var body: [UInt8] = []
        /// The number of bytes that the body had.
        public var bodySize = 0

        /// The target without its query, and without the scheme and host that a proxy gets.
        public var path: String {
            let path = target.prefix { $0 != "?" }
            guard path.hasPrefix("http://") else { return String(path) }
            return String(path.dropFirst("http://".count).drop { $0 != "/" })
        }

        /// The first value of a header field, looked up without regard to case.
        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }
}
