internal import AsyncPrimitives
internal import Glibc

/// The watches of one source, and the thread that serves them while there are any.
final class KernelHub: Sendable {
    typealias Delivery = @Sendable (NetworkPath) -> Void

    /// The watches that wait for the system to give something to watch with.
    private struct Refused {
        var watches: [WatchID: KernelWatch] = [:]
        var hasThread = false
    }

    private let settings: KernelSettings
    private let lookups: LookupThreads
    private let desk = WatchDesk()
    private let refused = Lock(Refused())

    init(_ settings: KernelSettings) {
        self.settings = settings
        lookups = LookupThreads(resolver: settings.resolver)
    }

    /// Starts a watch.
    ///
    /// Where the system gives no descriptor or no thread, that is a refusal, and it is tried again after 1, 2, 4 … 30
    /// seconds.
    ///
    /// - Parameters:
    ///   - target: Where the path shall lead to.
    ///   - deliver: Called with the first path and each later one, in order and on the thread of the hub; a refusal
    ///     comes on the caller's when there is none. One call may still come after ``remove(_:)``.
    /// - Returns: What ends the watch.
    func add(_ target: NetworkTarget, deliver: @escaping Delivery) -> WatchID {
        let watch = KernelWatch(id: WatchID(), target: target, deliver: deliver)
        if !start(watch) { refuse(watch) }
        return watch.id
    }

    /// Ends a watch; does not wait for that.
    func remove(_ id: WatchID) {
        refused.withLock { _ = $0.watches.removeValue(forKey: id) }
        desk.remove(id)?.ring()
    }

    /// False when the system gives nothing to watch with.
    private func start(_ watch: KernelWatch) -> Bool {
        switch desk.add(watch) {
        case .ring(let bell):
            bell.ring()
            return true
        case .startThread(let bell):
            return startThread(bell, for: watch.id)
        case .refuse:
            return false
        }
    }

    private func startThread(_ bell: WakeBell, for id: WatchID) -> Bool {
        let isStarted = SystemThread.start(name: "reachability", stackSize: 512 << 10) {
            [desk, settings, lookups] in
            var reader = KernelReader(desk: desk, bell: bell, settings: settings, lookups: lookups)
            reader.run()
        }
        if isStarted { return true }
        // Others may have come while it was tried; they are told like the one that tries.
        for watch in desk.giveUp() where watch.id != id { refuse(watch) }
        return false
    }

    private func refuse(_ watch: KernelWatch) {
        watch.deliver(.unreachable(.refused))
        var later = watch
        later.last = .unreachable(.refused)
        let needsThread = refused.withLock { refused in
            defer { refused.hasThread = true }
            refused.watches[later.id] = later
            return !refused.hasThread
        }
        // No task: its sleep takes descriptors, and the runtime stops a program that has none left.
        if needsThread, !SystemThread.start(name: "reach-retry", stackSize: 256 << 10, { self.retry() }) {
            refused.withLock { $0.hasThread = false }
        }
    }

    /// Tries to start the watches that were refused, until none is left.
    private func retry() {
        var backoff = Backoff(limit: .seconds(30))
        repeat {
            var pause = timespec(tv_sec: Int(backoff.pause().components.seconds), tv_nsec: 0)
            nanosleep(&pause, nil)
            for watch in refused.withLock({ Array($0.watches.values) }) where start(watch) {
                let isStillWanted = refused.withLock { $0.watches.removeValue(forKey: watch.id) } != nil
                if !isStillWanted { desk.remove(watch.id)?.ring() }
            }
        } while !mayEndRetrying()
    }

    private func mayEndRetrying() -> Bool {
        refused.withLock { refused in
            refused.hasThread = !refused.watches.isEmpty
            return refused.watches.isEmpty
        }
    }
}

/// The identity of a watch.
final class WatchID: Sendable, Hashable {
    static func == (left: WatchID, right: WatchID) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What somebody wants to hear about.
struct KernelWatch: Sendable {
    let id: WatchID
    let target: NetworkTarget
    let deliver: KernelHub.Delivery
    /// What was delivered last; used by the thread of the hub alone.
    var last: NetworkPath?
}
