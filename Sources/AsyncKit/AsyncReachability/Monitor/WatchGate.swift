/// Decides when the source is watched and whether its elements are passed on; pure.
///
/// Watches are numbered, so that an element of a watch that has been stopped is recognised and dropped.
struct WatchGate {
    enum Action: Equatable {
        case nothing
        case start(Int)
        case stop
    }

    private var isWanted = false
    private(set) var isSuspended = false
    private var hasReaders = false
    private(set) var isWatching = false
    private var number = 0

    /// True when what is known comes from the watch that runs now.
    private(set) var hasAnswer = false

    mutating func subscribe() -> Action {
        isWanted = true
        return isSuspended ? .nothing : startUnlessWatching()
    }

    /// Somebody reads the current state and will wait if there is no answer yet.
    mutating func read() -> Action {
        isWanted = true
        hasReaders = hasReaders || !hasAnswer
        return startUnlessWatching()
    }

    mutating func suspend() -> Action {
        isSuspended = true
        // Those who wait for a first answer get it; the watch stops then.
        return isWatching && !hasReaders ? stop() : .nothing
    }

    mutating func resume() -> Action {
        isSuspended = false
        return isWanted ? startUnlessWatching() : .nothing
    }

    /// An element has come; `nil` when it is of a watch that no longer counts.
    mutating func receive(from sender: Int) -> (publishes: Bool, action: Action)? {
        guard isWatching, sender == number else { return nil }
        hasAnswer = true
        hasReaders = false
        return (publishes: !isSuspended, action: isSuspended ? stop() : .nothing)
    }

    /// True for the watch that runs now.
    func isCurrent(_ sender: Int) -> Bool {
        isWatching && sender == number
    }

    func isWaiting(for sender: Int) -> Bool {
        isWatching && sender == number && !hasAnswer
    }

    private mutating func startUnlessWatching() -> Action {
        guard !isWatching else { return .nothing }
        isWatching = true
        number += 1
        return .start(number)
    }

    private mutating func stop() -> Action {
        isWatching = false
        hasAnswer = false
        return .stop
    }
}
