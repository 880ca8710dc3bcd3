internal import AsyncPrimitives

/// The watches of one source, and the thread that serves them while there are any.
final class KernelHub: Sendable {
    typealias Delivery = @Sendable (NetworkPath) -> Void

    private let settings: KernelSettings
    private let lookups: LookupThreads
    private let desk = WatchDesk()

    init(_ settings: KernelSettings) {
        self.settings = settings
        lookups = LookupThreads(resolver: settings.resolver)
    }

    /// Starts a watch.
    ///
    /// - Parameters:
    ///   - target: Where the path shall lead to.
    ///   - deliver: Called with the first path and each later one, in order and on the thread of the hub; on the
    ///     caller's only when there is no thread to be had. One call may still come after ``remove(_:)``.
    /// - Returns: What ends the watch.
    func add(_ target: NetworkTarget, deliver: @escaping Delivery) -> WatchID {
        let id = WatchID()
        switch desk.add(KernelWatch(id: id, target: target, deliver: deliver)) {
        case .ring(let bell): bell.ring()
        case .startThread(let bell): startThread(bell)
        case .refuse: deliver(.unreachable(.refused))
        }
        return id
    }

    /// Ends a watch; does not wait for that.
    func remove(_ id: WatchID) {
        desk.remove(id)?.ring()
    }

    private func startThread(_ bell: WakeBell) {
        let isStarted = SystemThread.start(name: "reachability", stackSize: 512 << 10) {
            [desk, settings, lookups] in
            var reader = KernelReader(desk: desk, bell: bell, settings: settings, lookups: lookups)
            reader.run()
        }
        if !isStarted {
            for watch in desk.giveUp() { watch.deliver(.unreachable(.refused)) }
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
