import Glibc
import Synchronization

/// Tells whether this process was made by fork(2) after something was: threads do not come along, and a lock that one
/// of them held stays locked.
package enum ProcessFork {
    /// How many forks lie between the first look and this process; the same number means the same process.
    package static var generation: Int {
        _ = isWatching
        return count.load(ordering: .relaxed)
    }

    private static let count = Atomic(0)

    private static let isWatching: Bool = {
        // Made before a fork, because the child may not wait for its initialisation.
        _ = count.load(ordering: .relaxed)
        return pthread_atfork(nil, nil, { ProcessFork.count.add(1, ordering: .relaxed) }) == 0
    }()
}
