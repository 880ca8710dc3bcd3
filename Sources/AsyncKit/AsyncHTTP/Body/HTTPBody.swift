internal import AsyncPrimitives

/// The bytes of an answer, in pieces as they come.
///
/// ```swift
/// let response = try await HTTPClient.shared.response(for: HTTPRequest(url: "https://example.org/big.iso"))
/// var count = 0
/// for try await chunk in response.body { count += chunk.count }
/// ```
///
/// A slow reader holds the transfer back: at most 512 KiB and one piece wait for it, then the server is made to wait.
/// The body is whole when the loop ends without an error; one that was cut off throws
/// ``HTTPClient/Error/truncatedBody``. Leaving the loop early, and releasing the body, ends the transfer and closes
/// its connection.
///
/// A body from the network is read once, by one task; a second reader gets the pieces that the first one did not. A
/// body made of bytes can be read as often as you like.
public struct HTTPBody: AsyncSequence, Sendable {
    /// A piece, never empty.
    public typealias Element = [UInt8]
    /// Why the body is not whole.
    public typealias Failure = HTTPClient.Error

    private enum Source: Sendable {
        case bytes([UInt8])
        case reader(BodyReader)
    }

    /// The most memory that is reserved because a server says it will send so much.
    private static let maximumReserve = 4 * 1024 * 1024

    private let source: Source
    /// How many bytes the server says it will send, where it says so.
    private let expectedSize: Int

    /// Makes a body of bytes that are there, as a scripted transport needs.
    ///
    /// - Parameter bytes: The whole body.
    public init(_ bytes: [UInt8]) {
        source = .bytes(bytes)
        expectedSize = bytes.count
    }

    init(_ reader: BodyReader, expectedSize: Int?) {
        source = .reader(reader)
        self.expectedSize = Swift.max(0, expectedSize ?? 0)
    }

    /// The whole body, where it was made of bytes; `nil` of one that comes over the network.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = source { bytes } else { nil }
    }

    /// Begins to read.
    ///
    /// - Returns: An iterator for one task.
    public func makeAsyncIterator() -> Iterator {
        switch source {
        case .bytes(let bytes): Iterator(bytes: bytes)
        case .reader(let reader): Iterator(reader: reader)
        }
    }

    /// Reads all of the body into memory.
    ///
    /// Cancelling the calling task ends the transfer and throws ``HTTPClient/Error/cancelled``.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to take; more is an error, and ends the transfer. The limit of the request holds as
    ///     well.
    ///   - isolation: The caller's actor; leave it out.
    /// - Returns: The bytes.
    /// - Throws: ``HTTPClient/Error/tooLarge(_:limit:)``, or why the body is not whole.
    public func collect(
        upTo limit: Int = .max,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(HTTPClient.Error) -> [UInt8] {
        var iterator = makeAsyncIterator()
        var bytes: [UInt8] = []
        while let chunk = try await iterator.next(isolation: isolation) {
            guard chunk.count <= limit - bytes.count else { throw .tooLarge(.body, limit: limit) }
            // The usual small body is one piece, which is not copied.
            if bytes.isEmpty, chunk.count >= expectedSize {
                bytes = chunk
            } else {
                if bytes.isEmpty {
                    bytes.reserveCapacity(Swift.max(0, Swift.min(expectedSize, limit, Self.maximumReserve)))
                }
                bytes += chunk
            }
        }
        return bytes
    }

    /// One reading of the body, to be used by one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private var bytes: [UInt8] = []
        private var reader: BodyReader?

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        init(reader: BodyReader) {
            self.reader = reader
        }

        /// Waits for the next piece.
        ///
        /// - Parameter isolation: The caller's actor; the wait does not leave it.
        /// - Returns: A piece, or `nil` at the end of a whole body.
        /// - Throws: Why the body is not whole; ``HTTPClient/Error/cancelled`` as soon as the task is cancelled.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(HTTPClient.Error) -> [UInt8]? {
            if let reader { return try await reader.next(isolation: isolation) }
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }
}

extension HTTPBody: ExpressibleByArrayLiteral {
    /// Makes a body of bytes that are written out.
    public init(arrayLiteral bytes: UInt8...) {
        self.init(bytes)
    }
}
