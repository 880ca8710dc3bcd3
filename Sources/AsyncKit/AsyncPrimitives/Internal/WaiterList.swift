import Synchronization

/// The identity of one suspended caller, unique in the process.
@usableFromInline
package struct WaiterID: Hashable, Comparable, Sendable {
    private let number: UInt64

    private static let last = Atomic<UInt64>(0)

    /// Makes an identity that is greater than every one made before it on this thread.
    package init() {
        number = Self.last.add(1, ordering: .relaxed).newValue
    }

    @usableFromInline
    package static func < (left: WaiterID, right: WaiterID) -> Bool {
        left.number < right.number
    }
}

/// Suspended callers in the order of their identities, which is near the order of their arrival.
@usableFromInline
package struct WaiterList<Waiter: Sendable>: Sendable {
    private var entries: [(id: WaiterID, waiter: Waiter)] = []

    package init() {}

    @usableFromInline package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    package mutating func append(_ waiter: Waiter, id: WaiterID) {
        let place = entries.last.map { $0.id < id } ?? true ? entries.count : index(of: id)
        entries.insert((id, waiter), at: place)
    }

    /// Removes one caller; `nil` when it was taken before, and then somebody else resumes it.
    package mutating func remove(_ id: WaiterID) -> Waiter? {
        let place = index(of: id)
        guard place < entries.count, entries[place].id == id else { return nil }
        return entries.remove(at: place).waiter
    }

    package mutating func removeFirst() -> Waiter? {
        entries.isEmpty ? nil : entries.removeFirst().waiter
    }

    /// Removes everybody, to be resumed after unlocking.
    @usableFromInline
    package mutating func removeAll() -> [Waiter] {
        if entries.isEmpty { return [] }
        defer { entries = [] }
        return entries.map(\.waiter)
    }

    /// The place of the first entry that does not come before `id`.
    private func index(of id: WaiterID) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
