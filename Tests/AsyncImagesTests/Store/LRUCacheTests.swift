import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct LRUCacheTests {
    /// The same rules written with one array, slow and plain.
    private struct Model {
        var entries: [(key: Int, value: Int, cost: Int)] = []
        let maximumCost: Int
        let maximumCount: Int

        var cost: Int { entries.reduce(0) { $0 + $1.cost } }

        mutating func value(for key: Int) -> Int? {
            guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: place)
            entries.insert(entry, at: 0)
            return entry.value
        }

        mutating func insert(_ value: Int, for key: Int, cost: Int) {
            entries.removeAll { $0.key == key }
            guard cost <= maximumCost, maximumCount > 0 else { return }
            entries.insert((key, value, cost), at: 0)
            while entries.count > maximumCount || self.cost > maximumCost { entries.removeLast() }
        }
    }

    @Test(arguments: [0, 1, 2, 5, 20], [0, 1, 10, 50])
    func behavesLikeThePlainModel(maximumCount: Int, maximumCost: Int) {
        var cache = LRUCache<Int, Int>(maximumCost: maximumCost, maximumCount: maximumCount)
        var model = Model(maximumCost: maximumCost, maximumCount: maximumCount)
        var noise = SplitMix(seed: UInt64(maximumCount * 100 + maximumCost))
        for step in 0..<3000 {
            let key = Int.random(in: 0..<12, using: &noise)
            switch Int.random(in: 0..<5, using: &noise) {
            case 0, 1:
                let cost = Int.random(in: 0..<12, using: &noise)
                _ = cache.insert(step, for: key, cost: cost)
                model.insert(step, for: key, cost: cost)
            case 2:
                _ = cache.removeValue(for: key)
                model.entries.removeAll { $0.key == key }
            default:
                #expect(cache.value(for: key) == model.value(for: key))
            }
            #expect(cache.keys == model.entries.map(\.key))
            #expect(cache.cost == model.cost && cache.count == model.entries.count)
        }
    }

    @Test func insertingReturnsEverythingThatHadToGo() {
        var cache = LRUCache<String, Int>(maximumCost: 10, maximumCount: 10)
        #expect(cache.insert(1, for: "a", cost: 4) == [])
        #expect(cache.insert(2, for: "b", cost: 4) == [])
        #expect(cache.insert(3, for: "a", cost: 4) == [1])
        #expect(cache.insert(4, for: "c", cost: 10) == [2, 3])
        #expect(cache.insert(5, for: "d", cost: 11) == [5])
        #expect(cache.keys == ["c"])
    }

    @Test func peekingIsNoUse() {
        var cache = LRUCache<String, Int>(maximumCost: 10, maximumCount: 2)
        _ = cache.insert(1, for: "a", cost: 0)
        _ = cache.insert(2, for: "b", cost: 0)
        #expect(cache.peek("a") == 1)
        #expect(cache.keys == ["b", "a"])
    }

    @Test func theLargestCostDoesNotOverflow() {
        var cache = LRUCache<Int, Int>(maximumCost: .max, maximumCount: 10)
        _ = cache.insert(1, for: 1, cost: .max)
        #expect(cache.insert(2, for: 2, cost: .max) == [1])
        #expect(cache.keys == [2])
    }
}
