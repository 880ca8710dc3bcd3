/// The body of one hop, ready to be sent.
enum Upload: Sendable {
    case none
    case bytes([UInt8])
    case fed(UploadChannel, UploadSource, length: Int?)

    /// Makes the body ready: a file is opened.
    init(_ body: HTTPRequest.Body?, until deadline: ContinuousClock.Instant) async throws(HTTPClient.Error) {
        switch body?.source {
        case nil:
            self = .none
        case .bytes(let bytes):
            self = bytes.isEmpty ? .none : .bytes(bytes)
        case .file(let path):
            let file = try await UploadFile.open(path, within: ContinuousClock.now.duration(to: deadline))
            self =
                file.length == 0 ? .none : .fed(.init(length: file.length), .file(file), length: file.length)
        case .stream(let stream):
            if stream.hasBegun { throw Self.sentBefore }
            self = .fed(UploadChannel(length: stream.length), .stream(stream), length: stream.length)
        }
    }

    private static let sentBefore = HTTPClient.Error.invalidRequest(
        "its body is a stream, which was sent before"
    )

    /// Whether there is nothing to send.
    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// How many bytes there are, or `nil` where that is not known before the end.
    var length: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .fed(_, _, let length): length
        }
    }

    /// Starts the task that fills the channel, if one is needed; it inherits from the calling task.
    func start(wakeSender: @escaping @Sendable () -> Void) {
        guard case .fed(let channel, let source, _) = self else { return }
        // Here and not before: a request that was refused on the way may be sent again.
        if case .stream(let stream) = source, !stream.begin() {
            if channel.finish(.failure(Self.sentBefore)) { wakeSender() }
            return
        }
        channel.setFeeder(Task { await source.feed(channel, wakeSender: wakeSender) })
    }

    /// Lets go of a body that nobody wants any more; later calls change nothing.
    func close() {
        if case .fed(let channel, _, _) = self { channel.close() }
    }
}
