internal import AsyncPrimitives

/// The watches of one source, and the thread that serves them while there are any.
final class KernelHub: Sendable {
    typealias Delivery = @Sendable (NetworkPath) -> Void

    private let settings: KernelSettings
    private let lookups: LookupThreads
    private let desk = WatchDesk()
    /// Those that wait for the system to give something to watch with.
    private let retries = Lock<[WatchID: Task<Void, Never>]>([:])

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
        retries.withLock { $0.removeValue(forKey: id) }?.cancel()
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
        var refused = watch
        refused.last = .unreachable(.refused)
        let retry = Task { [self, refused] in
            var backoff = Backoff(limit: .seconds(30))
            repeat { try? await Task.sleep(for: backoff.pause()) } while !Task.isCancelled && !start(refused)
            retries.withLock { _ = $0.removeValue(forKey: refused.id) }
            // It may have been ended while it started.
            if Task.isCancelled { remove(refused.id) }
        }
        retries.withLock { $0[watch.id] = retry }
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
