import AsyncPrimitives
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StateTests {
    @Test func firstElementComesAtOnceAndIsTheLatest() async {
        let state = State(1)
        state.set(2)
        var iterator = state.makeAsyncIterator()
        #expect(await iterator.next() == 2)
        #expect(state.latest == 2)
    }

    @Test func emptyStateDeliversNothingBeforeTheFirstSet() {
        let executor = ManualExecutor()
        let state = State<Int>()
        #expect(state.latest == nil)
        let reader = executor.start { await firstElement(of: state) }
        executor.drain()
        #expect(!reader.isFinished)
        state.update { $0 += 1 }
        executor.drain()
        #expect(!reader.isFinished)
        state.set(5)
        executor.drain()
        #expect(reader.value == 5)
    }

    @Test func slowReaderGetsTheLatestAndNeverEqualNeighbours() async {
        let state = State("A")
        var iterator = state.makeAsyncIterator()
        #expect(await iterator.next() == "A")
        state.set("B")
        state.set("A")
        state.set("B")
        state.set("C")
        #expect(await iterator.next() == "C")
        state.set("D")
        state.set("C")
        state.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func changeBackAndForthDoesNotEndTheWait() {
        let executor = ManualExecutor()
        let state = State("A")
        let seen = Lock<[String]>([])
        let reader = executor.start {
            for await value in state { seen.withLock { $0.append(value) } }
        }
        executor.drain()
        state.set("B")
        state.set("A")
        executor.drain()
        #expect(seen.withLock { $0 } == ["A"])
        #expect(!reader.isFinished)
        state.set("C")
        executor.drain()
        #expect(seen.withLock { $0 } == ["A", "C"])
        state.finish()
        executor.drain()
        #expect(reader.isFinished)
    }

    @Test func equalValueWakesNobody() {
        let executor = ManualExecutor()
        let comparisons = Lock(0)
        let state = State(1) { old, new in
            comparisons.withLock { $0 += 1 }
            return old == new
        }
        let reader = executor.start {
            for await _ in state {}
        }
        executor.drain()
        state.set(1)
        executor.drain()
        // One for the set; a reader that had been woken would have compared too.
        #expect(comparisons.withLock { $0 } == 1)
        reader.cancel()
        executor.drain()
        #expect(reader.isFinished)
    }

    @Test func newIterationRepeatsOnlyTheCurrentValue() {
        let executor = ManualExecutor()
        let state = State(1)
        let first = executor.start { await firstElement(of: state) }
        executor.drain()
        let second = executor.start { () -> [Int] in
            var values: [Int] = []
            for await value in state { values.append(value) }
            return values
        }
        executor.drain()
        state.set(2)
        executor.drain()
        state.finish()
        executor.drain()
        #expect(first.value == 1)
        #expect(second.value == [1, 2])
    }

    @Test func everySubscriberIsIndependent() {
        let executor = ManualExecutor()
        let state = State(0)
        let seen = Lock([[Int]](repeating: [], count: 4))
        let readers = (0..<4).map { reader in
            executor.start {
                for await value in state { seen.withLock { $0[reader].append(value) } }
            }
        }
        executor.drain()
        #expect(state.subscriberCount == 4)
        state.set(1)
        executor.drain()
        readers[2].cancel()
        executor.drain()
        #expect(readers.map(\.isFinished) == [false, false, true, false])
        #expect(state.subscriberCount == 3)
        state.set(2)
        executor.drain()
        state.finish()
        executor.drain()
        #expect(seen.withLock { $0 } == [[0, 1, 2], [0, 1, 2], [0, 1], [0, 1, 2]])
        #expect(state.subscriberCount == 0)
    }

    @Test func finishDeliversTheUnseenValueThenTheEnd() async {
        let state = State(1)
        var iterator = state.makeAsyncIterator()
        state.set(2)
        state.finish()
        state.set(3)
        #expect(await iterator.next() == 2)
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        #expect(state.latest == 2)
        #expect(await firstElement(of: state) == 2)
    }

    @Test func releasedStateEndsItsLoops() {
        let executor = ManualExecutor()
        var state: State<Int>? = State(1)
        let subscription = Lock(state?.makeAsyncIterator())
        let stream = state?.stream
        let readers = [
            executor.start {
                guard var iterator = subscription.withLock({ $0 }) else { return }
                while await iterator.next() != nil {}
            },
            executor.start {
                guard let stream else { return }
                for await _ in stream {}
            },
        ]
        executor.drain()
        #expect(readers.map(\.isFinished) == [false, false])
        state = nil
        executor.drain()
        #expect(readers.map(\.isFinished) == [true, true])
    }

    @Test func cancelledTaskLeavesAtOnceAndStaysOut() {
        let executor = ManualExecutor()
        let state = State(1)
        let reader = executor.start { await firstElement(of: state) }
        reader.cancel()
        executor.drain()
        #expect(reader.outcomes.count == 1)
        #expect(reader.value == .some(nil))
        #expect(state.subscriberCount == 0)
    }

    @Test func equalityMayCallBackIntoTheState() async {
        struct Nosy: Sendable, Equatable {
            let number: Int
            let state: Lock<State<Nosy>?>

            static func == (left: Nosy, right: Nosy) -> Bool {
                let state = left.state.withLock { $0 }
                _ = state?.latest
                _ = state?.subscriberCount
                return left.number == right.number
            }
        }
        let back = Lock<State<Nosy>?>(nil)
        let state = State(Nosy(number: 1, state: back))
        back.withLock { $0 = state }
        state.set(Nosy(number: 2, state: back))
        state.update { $0 = Nosy(number: 3, state: back) }
        #expect(await firstElement(of: state)?.number == 3)
        back.withLock { $0 = nil }
    }

    @Test func updateMayCallBackIntoTheState() {
        let state = State(1)
        state.update { $0 += state.latest ?? 0 }
        #expect(state.latest == 2)
    }

    @Test func replacedValueIsReleasedWithoutTheLock() {
        final class Witness: Sendable {
            let state: Lock<State<Witness?>?>
            init(_ state: Lock<State<Witness?>?>) { self.state = state }
            deinit { _ = state.withLock { $0 }?.latest }
        }
        let back = Lock<State<Witness?>?>(nil)
        let state = State<Witness?>(.some(nil)) { _, _ in false }
        back.withLock { $0 = state }
        state.set(Witness(back))
        state.set(nil)
        let latest = state.latest.flatMap(\.self)
        #expect(latest == nil)
        back.withLock { $0 = nil }
    }

    @Test func streamCountsAsOneSubscriberUntilItsTaskIsCancelled() {
        let executor = ManualExecutor()
        let state = State(1)
        let stream = state.stream
        #expect(state.subscriberCount == 1)
        let reader = executor.start {
            for await _ in stream {}
        }
        executor.drain()
        reader.cancel()
        executor.drain()
        #expect(reader.isFinished)
        withExtendedLifetime(stream) { #expect(state.subscriberCount == 0) }
    }

    @Test func streamsAreFreshAndIndependent() {
        let executor = ManualExecutor()
        let state = State(1)
        let readers = (0..<3).map { _ in
            executor.start { () -> [Int] in
                var values: [Int] = []
                for await value in state.stream { values.append(value) }
                return values
            }
        }
        executor.drain()
        state.set(2)
        executor.drain()
        state.set(2)
        state.finish()
        executor.drain()
        #expect(readers.allSatisfy { $0.value == [1, 2] })
    }

    @Test func twoTasksOnOneStreamAreNoDataRace() async {
        let state = State(0)
        let stream = state.stream
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    for await _ in stream {}
                }
            }
            for value in 1...2_000 { state.set(value) }
            state.finish()
        }
        #expect(state.latest == 2_000)
    }

    @Test func manySubscriptionsThatBreakLeaveNobody() async {
        let state = State(1)
        for _ in 0..<100_000 {
            for await _ in state { break }
        }
        #expect(state.subscriberCount == 0)
    }
}

func firstElement<Values: AsyncSequence>(of values: Values) async -> Values.Element?
where Values.Failure == Never {
    for await value in values { return value }
    return nil
}
