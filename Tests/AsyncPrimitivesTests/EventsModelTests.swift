import Testing

@testable import AsyncPrimitives

@Suite(.timeLimit(.minutes(1)))
struct EventsModelTests {
    /// All that was ever sent, and for each reader the number of the event it takes next.
    private struct Reference {
        let capacity: Int
        var log: [Int] = []
        var positions: [WaiterID: Int] = [:]
        var losses: [WaiterID: Int] = [:]
        var isFinished = false

        mutating func push(_ value: Int) {
            if !isFinished, !positions.isEmpty { log.append(value) }
        }

        mutating func poll(_ id: WaiterID) -> String {
            guard var position = positions[id] else { return "end" }
            let oldest = max(0, log.count - capacity)
            losses[id, default: 0] += max(0, oldest - position)
            position = max(position, oldest)
            defer { positions[id] = min(position + 1, log.count) }
            return position < log.count ? "event \(log[position])" : isFinished ? "end" : "wait"
        }
    }

    @Test(arguments: 1...6, 0..<20)
    func ringBehavesLikeTheReference(capacity: Int, seed: UInt64) {
        var random = SplitMix(seed: seed)
        var ring = EventsRing<Int>(capacity: capacity)
        var reference = Reference(capacity: capacity)
        var readers: [WaiterID] = []

        for step in 0..<400 {
            switch random.next() % 16 {
            case 0:
                let id = WaiterID()
                readers.append(id)
                ring.add(reader: id)
                reference.positions[id] = reference.log.count
            case 1 where readers.count > 2:
                let id = readers.remove(at: Int(random.next() % UInt64(readers.count)))
                _ = ring.remove(reader: id)
                reference.positions[id] = nil
            case 2..<8:
                _ = ring.push(step)
                reference.push(step)
            case 15 where step > 380:
                _ = ring.finish()
                reference.isFinished = true
            default:
                guard let id = readers.randomElement(using: &random) else { continue }
                #expect(Self.name(ring.poll(id)) == reference.poll(id))
            }
        }
        for id in readers {
            #expect(Self.name(ring.poll(id)) == reference.poll(id))
            #expect(ring.losses(of: id) == UInt64(reference.losses[id] ?? 0))
        }
        #expect(ring.readers.count == reference.positions.count)
    }

    private static func name(_ poll: EventsRing<Int>.Poll) -> String {
        switch poll {
        case .event(let value): "event \(value)"
        case .wait: "wait"
        case .end: "end"
        }
    }
}
