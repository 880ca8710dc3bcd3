import AsyncPrimitives
import Support
import Testing

/// Memory that does not grow, measured in a process that does nothing else.
@Suite(.timeLimit(.minutes(2)))
struct BoundTests {
    @Test(.enabled(if: !ResourceUse.isSanitized, "the sanitizer's own memory grows"))
    func stalledStateSubscriberHoldsOneElement() async {
        await #expect(processExitsWith: .success) {
            let state = State([0])
            var iterator = state.makeAsyncIterator()
            _ = await iterator.next()
            for number in 1...10_000 { state.set([number]) }
            let before = ResourceUse.now.residentBytes
            for number in 1...1_000_000 { state.set([number, number]) }
            let growth = ResourceUse.now.residentBytes - before
            precondition(growth < 1 << 20, "grew by \(growth) bytes")
            let value = await iterator.next()
            precondition(value == [1_000_000, 1_000_000])
        }
    }

    @Test(.enabled(if: !ResourceUse.isSanitized, "the sanitizer's own memory grows"))
    func stalledEventsSubscriberHoldsTheCapacity() async {
        await #expect(processExitsWith: .success) {
            let events = Events<[Int]>(capacity: 64)
            let stalled = events.subscribe()
            for number in 1...10_000 { events.send([number]) }
            let before = ResourceUse.now.residentBytes
            for number in 1...500_000 { events.send([number, number]) }
            let growth = ResourceUse.now.residentBytes - before
            precondition(growth < 1 << 20, "grew by \(growth) bytes")
            precondition(stalled.droppedCount == 510_000 - 64)
        }
    }

    @Test(.enabled(if: !ResourceUse.isSanitized, "the sanitizer's own memory grows"))
    func finishedFlightsLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            let flights = SingleFlight<Int, Int>()
            for key in 0..<5_000 { _ = try? await flights.value(for: key) { key } }
            let before = ResourceUse.now.residentBytes
            for key in 0..<50_000 { _ = try? await flights.value(for: key) { key } }
            let growth = ResourceUse.now.residentBytes - before
            precondition(growth < 2 << 20, "grew by \(growth) bytes")
            precondition(flights.count == 0)
        }
    }
}
