/// How far a download has come.
///
/// ```swift
/// let progress = HTTPProgress(received: 50, total: 200)
/// print(progress.fraction ?? 0)  // 0.25
/// ```
public struct HTTPProgress: Sendable, Hashable {
    /// How many bytes are in the file; fewer than before when a download had to start over.
    public var received: Int

    /// How many bytes there will be, or `nil` where the server doesn't tell.
    public var total: Int?

    /// Creates a value, as a test needs.
    public init(received: Int, total: Int? = nil) {
        self.received = received
        self.total = total
    }

    /// The part that is there, from 0 to 1, or `nil` where the total is not known; 1 of an empty body.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
    }
}
