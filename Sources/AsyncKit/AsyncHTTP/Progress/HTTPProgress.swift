/// How far a request has come.
///
/// ```swift
/// let progress = HTTPProgress(received: 50, total: 200)
/// print(progress.fraction ?? 0)  // 0.25
/// ```
public struct HTTPProgress: Sendable, Hashable {
    /// How many bytes of the answer's body have come, before decoding; for a download, how many are in the file.
    ///
    /// Fewer than before when it had to start over.
    public var received: Int

    /// How many bytes there will be, or `nil` where the server doesn't tell.
    public var total: Int?

    /// How many bytes of the request's body were handed to libcurl, which keeps at most 64 KiB of them; fewer than
    /// before when it is sent again, and none for a download.
    public var sent: Int

    /// How many bytes the request's body has, or `nil` where that is not known before its end.
    public var totalToSend: Int?

    /// Creates a value, as a test needs.
    public init(received: Int = 0, total: Int? = nil, sent: Int = 0, totalToSend: Int? = 0) {
        self.received = received
        self.total = total
        self.sent = sent
        self.totalToSend = totalToSend
    }

    /// The part that has come, from 0 to 1, or `nil` where the total is not known; 1 of an empty body.
    public var fraction: Double? { Self.part(received, of: total) }

    /// The part of the request's body that was sent, likewise.
    public var fractionSent: Double? { Self.part(sent, of: totalToSend) }

    private static func part(_ count: Int, of total: Int?) -> Double? {
        total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
    }
}
