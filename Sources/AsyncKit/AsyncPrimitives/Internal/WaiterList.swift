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

/// Suspended callers in the order of their identities, which is the order of their arrival but for a race.
///
/// Taking the first and taking any one by its identity cost O(log n), amortised: entries are emptied in place and
/// the array is packed when more than half of it is empty.
@usableFromInline
package struct WaiterList<Waiter: Sendable>: Sendable {
    @usableFromInline var entries: [(id: WaiterID, waiter: Waiter?)] = []
    /// Everything before it is empty.
    @usableFromInline var head = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { count == 0 }

    package mutating func append(_ waiter: Waiter, id: WaiterID) {
        let isLast = entries.last.map { $0.id < id } ?? true
        entries.insert((id, waiter), at: isLast ? entries.count : index(of: id))
        count += 1
    }

    /// Removes one caller; `nil` when it was taken before, and then somebody else resumes it.
    package mutating func remove(_ id: WaiterID) -> Waiter? {
        let place = index(of: id)
        guard place < entries.count, entries[place].id == id else { return nil }
        return take(at: place)
    }

    package mutating func removeFirst() -> (id: WaiterID, waiter: Waiter)? {
        while head < entries.count {
            let (place, id) = (head, entries[head].id)
            head += 1
            if let waiter = take(at: place) { return (id, waiter) }
        }
        return nil
    }

    /// Removes everybody, to be resumed after unlocking.
    @inlinable
    package mutating func removeAll() -> [Waiter] {
        if count == 0 { return [] }
        defer { self = WaiterList() }
        return entries.compactMap(\.waiter)
    }

    private mutating func take(at place: Int) -> Waiter? {
        guard let waiter = entries[place].waiter else { return nil }
        entries[place].waiter = nil
        count -= 1
        if count < entries.count / 2 { pack() }
        return waiter
    }

    private mutating func pack() {
        entries.removeAll { $0.waiter == nil }
        head = 0
    }

    /// The place of the first entry that does not come before `id`.
    private func index(of id: WaiterID) -> Int {
        var low = head
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
