/// The pauses between attempts: one second, then twice as long each time up to a limit; pure.
struct Backoff {
    let limit: Duration
    private var next = Duration.seconds(1)

    init(limit: Duration) {
        self.limit = limit
    }

    /// The pause after one more failure.
    mutating func pause() -> Duration {
        defer { next = min(limit, next * 2) }
        return next
    }

    mutating func reset() {
        next = .seconds(1)
    }
}
