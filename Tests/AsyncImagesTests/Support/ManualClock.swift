import AsyncPrimitives

/// A clock that stands still until the test moves it.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private let instant = Lock(Instant())

    var now: Instant { instant.withLock { $0 } }
    let minimumResolution = Swift.Duration.zero

    func advance(by duration: Duration) {
        instant.withLock { $0.offset += duration }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        preconditionFailure("Nothing here is to sleep by this clock.")
    }
}
