public import AsyncBridging

extension HTTPClient {
    /// The client for code that is not `async`: the same calls, which block the calling thread.
    ///
    /// ```swift
    /// let page = try HTTPClient.shared.blocking.data(for: "https://example.org/")
    /// ```
    ///
    /// On the main thread the main run loop goes on meanwhile.
    public nonisolated var blocking: Blocking { Blocking(client: self) }

    /// Blocking forms of a client's calls.
    ///
    /// Each refuses to start where it could only hang, such as on an actor (`SyncBridge.Error.refused`). There is
    /// no time limit beside the request's own.
    public struct Blocking: Sendable {
        fileprivate let client: HTTPClient

        /// Returns the answer to a request with its whole body; otherwise see ``HTTPClient/response(for:)``.
        ///
        /// The bytes are there in ``HTTPBody/bytes``.
        ///
        /// - Parameters:
        ///   - request: What to ask.
        ///   - isolation: Where the call comes from; leave it out.
        ///   - fileID: The file to name in a refusal; leave it out.
        ///   - line: The line to name in a refusal; leave it out.
        /// - Returns: The answer, whatever its status.
        /// - Throws: The client's error as `.operation`, or the reason why this thread can't wait.
        @available(*, noasync, message: "await response(for:) of the client itself")
        public func response(
            for request: HTTPRequest,
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<HTTPClient.Error>) -> HTTPResponse {
            try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
                [client] () async throws(HTTPClient.Error) in
                var response = try await client.response(for: request)
                response.body = HTTPBody(try await response.body.collect())
                return response
            }
        }

        /// Returns the whole body of the answer to a request; see ``HTTPClient/data(for:)-(HTTPRequest)``.
        ///
        /// - Parameters:
        ///   - request: What to ask.
        ///   - isolation: Where the call comes from; leave it out.
        ///   - fileID: The file to name in a refusal; leave it out.
        ///   - line: The line to name in a refusal; leave it out.
        /// - Returns: The body.
        /// - Throws: The client's error as `.operation`, or the reason why this thread can't wait.
        @available(*, noasync, message: "await data(for:) of the client itself")
        public func data(
            for request: HTTPRequest,
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<HTTPClient.Error>) -> [UInt8] {
            try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
                [client] () async throws(HTTPClient.Error) in try await client.data(for: request)
            }
        }

        /// Returns the body that a URL is answered with; see ``HTTPClient/data(for:)-(String)``.
        ///
        /// - Parameters:
        ///   - url: An absolute `http` or `https` URL.
        ///   - isolation: Where the call comes from; leave it out.
        ///   - fileID: The file to name in a refusal; leave it out.
        ///   - line: The line to name in a refusal; leave it out.
        /// - Returns: The body.
        /// - Throws: The client's error as `.operation`, or the reason why this thread can't wait.
        @available(*, noasync, message: "await data(for:) of the client itself")
        public func data(
            for url: String,
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<HTTPClient.Error>) -> [UInt8] {
            try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
                [client] () async throws(HTTPClient.Error) in try await client.data(for: url)
            }
        }

        /// Downloads the body of the answer to a request into a file; see ``HTTPClient/download(_:to:progress:)``.
        ///
        /// - Parameters:
        ///   - request: What to ask.
        ///   - path: Where the file shall be.
        ///   - progress: Called on the calling thread.
        ///   - isolation: Where the call comes from; leave it out.
        ///   - fileID: The file to name in a refusal; leave it out.
        ///   - line: The line to name in a refusal; leave it out.
        /// - Returns: What was written.
        /// - Throws: The client's error as `.operation`, or the reason why this thread can't wait.
        @available(*, noasync, message: "await download(_:to:) of the client itself")
        public func download(
            _ request: HTTPRequest,
            to path: String,
            progress: @escaping @Sendable (HTTPProgress) -> Void = { _ in },
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<HTTPClient.Error>) -> HTTPDownload {
            try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
                [client] () async throws(HTTPClient.Error) in
                try await client.download(request, to: path, progress: progress)
            }
        }

        /// Ends every transfer and the client's thread; see ``HTTPClient/close()``.
        ///
        /// - Parameters:
        ///   - isolation: Where the call comes from; leave it out.
        ///   - fileID: The file to name in a refusal; leave it out.
        ///   - line: The line to name in a refusal; leave it out.
        /// - Throws: The reason why this thread can't wait.
        @available(*, noasync, message: "await close() of the client itself")
        public func close(
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<Never>) {
            try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
                [client] () async throws(Never) in await client.close()
            }
        }
    }
}
