internal import AsyncPrimitives

/// Where other threads leave word for the thread of a hub.
final class WatchDesk: Sendable {
    enum Order: Sendable {
        case add(KernelWatch)
        case remove(WatchID)
        case resolved(name: String, Lookup)
    }

    /// What the one who adds a watch has to do.
    enum Action {
        case ring(WakeBell)
        case startThread(WakeBell)
        /// The system has no descriptor left for the bell.
        case refuse
    }

    private struct Contents {
        /// There while the thread is.
        var bell: WakeBell?
        var orders: [Order] = []
    }

    private let contents = Lock(Contents())

    func add(_ watch: KernelWatch) -> Action {
        contents.withLock { contents in
            if let bell = contents.bell {
                contents.orders.append(.add(watch))
                return .ring(bell)
            }
            guard let bell = WakeBell() else { return .refuse }
            contents.bell = bell
            contents.orders = [.add(watch)]
            return .startThread(bell)
        }
    }

    func remove(_ id: WatchID) -> WakeBell? {
        post(.remove(id))
    }

    /// Leaves word; without a thread there is nobody whom it concerns.
    func post(_ order: Order) -> WakeBell? {
        contents.withLock { contents in
            if contents.bell != nil { contents.orders.append(order) }
            return contents.bell
        }
    }

    /// What has come since the last time, oldest first.
    func take() -> [Order] {
        contents.withLock { contents in
            defer { contents.orders = [] }
            return contents.orders
        }
    }

    /// Says that the thread is going to end; false when there is word for it again.
    func close() -> Bool {
        // The last reference to the bell goes after unlocking, since that closes it.
        let (mayEnd, _): (Bool, WakeBell?) = contents.withLock { contents in
            guard contents.orders.isEmpty else { return (false, nil) }
            defer { contents.bell = nil }
            return (true, contents.bell)
        }
        return mayEnd
    }

    /// Takes back what was meant for a thread that could not be started.
    func giveUp() -> [KernelWatch] {
        let orders = contents.withLock { contents in
            defer { contents = Contents() }
            return contents.orders
        }
        var watches: [WatchID: KernelWatch] = [:]
        for order in orders {
            switch order {
            case .add(let watch): watches[watch.id] = watch
            case .remove(let id): watches[id] = nil
            case .resolved: break
            }
        }
        return Array(watches.values)
    }
}
