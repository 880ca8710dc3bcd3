/// A dictionary of bounded cost and count that forgets what was not used for longest.
///
/// Entries live side by side in one array and are linked by position, so that a hit moves four numbers and
/// allocates nothing. Looking up, inserting and removing take constant time.
struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var key: Key
        var value: Value
        var cost: Int
        var newer: Int?
        var older: Int?
    }

    private var positions: [Key: Int] = [:]
    private var entries: [Entry] = []
    private var newest: Int?
    private var oldest: Int?

    let maximumCost: Int
    let maximumCount: Int
    private(set) var cost = 0

    init(maximumCost: Int, maximumCount: Int) {
        self.maximumCost = maximumCost
        self.maximumCount = maximumCount
    }

    var count: Int { entries.count }

    /// The keys, the most recently used one first.
    var keys: [Key] {
        var keys: [Key] = []
        var position = newest
        while let current = position {
            keys.append(entries[current].key)
            position = entries[current].older
        }
        return keys
    }

    /// The value under `key`, which becomes the most recently used.
    mutating func value(for key: Key) -> Value? {
        guard let position = positions[key] else { return nil }
        if position != newest {
            unlink(position)
            linkAsNewest(position)
        }
        return entries[position].value
    }

    /// The value under `key`, without counting as a use.
    func peek(_ key: Key) -> Value? {
        positions[key].map { entries[$0].value }
    }

    /// Puts a value under `key` and returns what had to go for it, so that the caller can let go of it elsewhere.
    ///
    /// A value that is above the limits all by itself is not kept.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Value] {
        var dropped: [Value] = []
        if let old = removeValue(for: key) { dropped.append(old) }
        guard cost <= maximumCost, maximumCount > 0 else { return dropped + [value] }
        while count == maximumCount || self.cost > maximumCost - cost, let oldest {
            dropped.append(remove(at: oldest))
        }
        positions[key] = entries.count
        entries.append(Entry(key: key, value: value, cost: cost))
        linkAsNewest(entries.count - 1)
        self.cost += cost
        return dropped
    }

    mutating func removeValue(for key: Key) -> Value? {
        positions[key].map { remove(at: $0) }
    }

    /// Takes out every value.
    mutating func removeAll() -> [Value] {
        let values = entries.map(\.value)
        self = LRUCache(maximumCost: maximumCost, maximumCount: maximumCount)
        return values
    }

    /// Changes the value under `key` in place; its cost and age stay.
    mutating func update(_ key: Key, _ change: (inout Value) -> Void) {
        if let position = positions[key] { change(&entries[position].value) }
    }
}

extension LRUCache {
    private mutating func unlink(_ position: Int) {
        let (newer, older) = (entries[position].newer, entries[position].older)
        if let newer { entries[newer].older = older } else { newest = older }
        if let older { entries[older].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ position: Int) {
        entries[position].newer = nil
        entries[position].older = newest
        if let newest { entries[newest].newer = position } else { oldest = position }
        newest = position
    }

    /// Takes an entry out and moves the last one of the array into its place.
    private mutating func remove(at position: Int) -> Value {
        unlink(position)
        let entry = entries[position]
        positions[entry.key] = nil
        cost -= entry.cost
        let last = entries.removeLast()
        if position < entries.count { place(last, at: position) }
        return entry.value
    }

    private mutating func place(_ entry: Entry, at position: Int) {
        entries[position] = entry
        positions[entry.key] = position
        if let newer = entry.newer { entries[newer].older = position } else { newest = position }
        if let older = entry.older { entries[older].newer = position } else { oldest = position }
    }
}
