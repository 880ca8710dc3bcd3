import AsyncPrimitives
import Support
import Testing

extension RaceTests {
    struct EventsRaces {
        private final class Round: Sendable {
            let events = Events<Int>(capacity: 4)
            let witness: Events<Int>.Subscription
            let leaver: Lock<Events<Int>.Subscription?>
            let newcomer = Lock<Events<Int>.Subscription?>(nil)

            init() {
                witness = events.subscribe()
                leaver = Lock(events.subscribe())
            }

            func leave() {
                // Released after unlocking, where nobody else can hold it any more.
                _ = leaver.withLock { leaver in
                    defer { leaver = nil }
                    return leaver
                }
            }
        }

        @Test func sendAgainstSubscribeAndUnsubscribeLosesNothing() async throws {
            let executor = ManualExecutor()
            let all = [1, 2, 3, 4]
            try await Race.run(
                setUp: { _ in Round() },
                sides: [
                    { round in all.forEach(round.events.send) },
                    { round in
                        let subscription = round.events.subscribe()
                        round.newcomer.withLock { $0 = subscription }
                    },
                    { $0.leave() },
                ],
                check: { round in
                    try confirm(
                        round.events.subscriberCount == 2,
                        "\(round.events.subscriberCount) subscribers"
                    )
                    round.events.finish()
                    let seen = Self.read(round.witness, on: executor)
                    try confirm(seen == all, "the witness saw \(seen)")
                    guard let newcomer = round.newcomer.withLock({ $0 }) else { return }
                    let late = Self.read(newcomer, on: executor)
                    try confirm(late == all.suffix(late.count), "the newcomer saw \(late)")
                    try confirm(round.events.droppedCount == 0, "an event was counted as lost")
                }
            )
        }

        @Test func waitingReaderIsWokenOnceBySendOrCancel() async throws {
            let executor = ManualExecutor()
            let events = Events<Int>(capacity: 4)
            try await Race.run(
                setUp: { _ -> ManualTask<Int?> in
                    let reader = executor.start { await events.subscribe().next() }
                    executor.drain()
                    return reader
                },
                sides: [{ _ in events.send(1) }, { $0.cancel() }],
                check: { reader in
                    executor.drain()
                    try confirm(reader.outcomes.count == 1, "\(reader.outcomes.count) outcomes")
                    try confirm(events.subscriberCount == 0, "the reader was not counted out")
                }
            )
        }

        private static func read(_ subscription: Events<Int>.Subscription, on executor: ManualExecutor)
            -> [Int]
        {
            let reader = executor.start {
                var values: [Int] = []
                while let value = await subscription.next() { values.append(value) }
                return values
            }
            executor.drain()
            return reader.value ?? []
        }
    }
}
