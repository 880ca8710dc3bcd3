internal import Synchronization

extension HTTPRequest {
    /// What a request sends: bytes, a file, or a stream that is made while it is sent.
    ///
    /// ```swift
    /// var request = HTTPRequest(method: "PUT", url: "https://example.org/report.pdf")
    /// request.body = .file("report.pdf")
    /// let response = try await HTTPClient.shared.response(for: request)
    /// ```
    ///
    /// No `Content-Type` is made up; set it where the server wants one. Bytes and files are sent again where a
    /// redirect asks for it, such as 307 and 308; a stream is sent once.
    public struct Body: Sendable, Hashable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
        enum Source: Sendable, Hashable {
            case bytes([UInt8])
            case file(String)
            case stream(BodyStream)
        }

        let source: Source

        /// Makes a body of bytes; one without any is like no body.
        ///
        /// - Parameter bytes: The whole body. It is not copied before it is sent.
        public init(_ bytes: [UInt8]) {
            source = .bytes(bytes)
        }

        /// Makes a body of bytes that are written out.
        public init(arrayLiteral bytes: UInt8...) {
            source = .bytes(bytes)
        }

        /// Makes a body of the UTF-8 bytes of a text.
        ///
        /// - Parameter text: The whole body.
        public init(_ text: String) {
            source = .bytes(Array(text.utf8))
        }

        /// Makes a body of the UTF-8 bytes of a text that is written out.
        public init(stringLiteral text: String) {
            self.init(text)
        }

        private init(_ source: Source) {
            self.source = source
        }

        /// A body that is read from a file while it is sent.
        ///
        /// The file is opened when the request is, and read on ``AsyncPrimitives/ThreadPool/shared`` in pieces of
        /// 64 KiB, of which a few are read ahead. As many bytes are sent as it had when it was opened. One that can't
        /// be read, is no regular file, or becomes shorter meanwhile throws ``HTTPClient/Error/file(path:reason:)``.
        ///
        /// - Parameter path: Where the file is.
        /// - Returns: The body.
        public static func file(_ path: String) -> Body {
            Body(.file(path))
        }

        /// A body that comes piece by piece from a sequence while it is sent, such as the body of a response.
        ///
        /// ```swift
        /// let (pieces, source) = AsyncStream.makeStream(of: [UInt8].self)
        /// let request = HTTPRequest(method: "POST", url: "https://example.org/log", body: .stream(pieces))
        /// source.yield(Array("first line\n".utf8))
        /// source.finish()
        /// ```
        ///
        /// The sequence is iterated once, by a task that has the priority and the task-local values of the caller,
        /// when the connection stands. A slow server holds it back: at most 256 KiB and one piece wait. The task is
        /// cancelled when the request ends before it, however that comes; a sequence that does not heed this is not
        /// waited for. What the sequence throws ends the request with ``HTTPClient/Error/bodyFailed(reason:)``.
        /// A second request with the same body, and a redirect that asks for it once more, is an error. Only its
        /// first 128 KiB can be sent anew where a kept connection turns out to be dead.
        ///
        /// - Parameters:
        ///   - pieces: The bytes in any pieces; empty ones are passed over.
        ///   - length: How many bytes there will be; more and fewer are an error, so the last byte is sent when the
        ///     sequence has ended. With `nil`, HTTP/1.1 sends them in
        ///     chunks (RFC 9112 §7.1), which a server that speaks HTTP/1.0 alone does not understand.
        /// - Returns: The body; it is equal to itself only.
        public static func stream<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, length: Int? = nil)
            -> Body
        where Pieces.Element == [UInt8] {
            Body(.stream(BodyStream(pieces, length: length)))
        }
    }
}

/// A sequence of pieces whose type is not known any more; it has an identity, because it can be sent once.
final class BodyStream: Sendable {
    typealias Take = @Sendable ([UInt8]) async throws -> Void

    let length: Int?
    private let forEachPiece: @Sendable (Take) async throws -> Void
    private let hasBegunFlag = Atomic(false)

    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, length: Int?) where Pieces.Element == [UInt8] {
        self.length = length.map { max(0, $0) }
        forEachPiece = { take in
            for try await piece in pieces where !piece.isEmpty { try await take(piece) }
        }
    }

    /// Whether somebody has sent it, or is about to.
    var hasBegun: Bool { hasBegunFlag.load(ordering: .acquiring) }

    /// Whether the caller is the first to ask, and may send it.
    func begin() -> Bool {
        !hasBegunFlag.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Hands over each piece; to be called once.
    func forEach(_ take: Take) async throws {
        try await forEachPiece(take)
    }
}

extension BodyStream: Hashable {
    static func == (first: BodyStream, second: BodyStream) -> Bool { first === second }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
