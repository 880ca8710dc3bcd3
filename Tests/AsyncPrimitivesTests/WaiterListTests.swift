import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WaiterListTests {
    /// The list as one would write it without a thought of speed.
    private struct Reference {
        var entries: [(id: WaiterID, waiter: Int)] = []

        mutating func append(_ waiter: Int, id: WaiterID) {
            entries.append((id, waiter))
            entries.sort { $0.id < $1.id }
        }

        mutating func remove(_ id: WaiterID) -> Int? {
            entries.firstIndex { $0.id == id }.map { entries.remove(at: $0).waiter }
        }

        mutating func removeFirst() -> Int? {
            entries.isEmpty ? nil : entries.removeFirst().waiter
        }

        mutating func removeAll() -> [Int] {
            defer { entries = [] }
            return entries.map(\.waiter)
        }
    }

    @Test(arguments: 0..<50)
    func behavesLikeTheReference(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var list = WaiterList<Int>()
        var reference = Reference()
        var fresh = (0..<300).map { _ in WaiterID() }
        var used: [WaiterID] = []
        // Arrivals are a little out of order, as they are when threads race for the lock.
        for place in fresh.indices.dropLast(3) { fresh.swapAt(place, place + Int(random.next() % 4)) }

        for step in 0..<900 {
            switch random.next() % 20 {
            case 0..<10 where !fresh.isEmpty:
                let id = fresh.removeFirst()
                used.append(id)
                list.append(step, id: id)
                reference.append(step, id: id)
            case 10..<15 where !used.isEmpty:
                let id = used[Int(random.next() % UInt64(used.count))]
                #expect(list.remove(id) == reference.remove(id))
            case 19 where step.isMultiple(of: 7):
                #expect(list.removeAll() == reference.removeAll())
            default:
                #expect(list.removeFirst()?.waiter == reference.removeFirst())
            }
            #expect(list.count == reference.entries.count)
            #expect(list.isEmpty == reference.entries.isEmpty)
        }
        #expect(list.removeAll() == reference.removeAll())
    }

    @Test func takenCallerIsNotTakenTwice() {
        var list = WaiterList<String>()
        let (first, second) = (WaiterID(), WaiterID())
        list.append("first", id: first)
        list.append("second", id: second)
        #expect(list.removeFirst()?.id == first)
        #expect(list.remove(first) == nil)
        #expect(list.remove(second) == "second")
        #expect(list.remove(second) == nil)
        #expect(list.removeFirst() == nil)
    }

    @Test func removedWaiterIsReleasedAtOnce() {
        final class Waiter: Sendable {}
        var list = WaiterList<Waiter>()
        let ids = (0..<8).map { _ in WaiterID() }
        for id in ids { list.append(Waiter(), id: id) }
        weak let removed = list.remove(ids[1])
        #expect(removed == nil)
    }

    @Test func identitiesAscend() {
        let ids = (0..<100).map { _ in WaiterID() }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    }
}

/// Random numbers that are the same in every run; the generator is Vigna's SplitMix64.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
