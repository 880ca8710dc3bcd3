import AsyncPrimitives
import Support
import Testing

@testable import AsyncBridging

@Suite(.timeLimit(.minutes(5)))
struct CallbackRaceTests {
    private let rounds = 100_000

    private struct Tally: Sendable {
        var delivered = 0
        var endedEarly = 0
    }

    @Test func callbackAndCancellationHaveOneOutcome() async throws {
        var tally = Tally()
        for round in 0..<rounds {
            let holder = Holder<Int>()
            let stops = Lock(0)
            let task = Task { await Self.wait(holder, stops) }
            await holder.isArmed.wait()
            let call = Task.detached {
                spin(round % 50)
                return holder.callback?(1)
            }
            spin(round % 70)
            task.cancel()
            let (delivery, outcome) = (await call.value, await task.value)
            check(outcome, delivery, stops: stops.withLock { $0 }, &tally)
        }
        #expect(tally.delivered + tally.endedEarly == rounds)
        // On one processor the order may always be the same.
        #expect(ResourceUse.processors == 1 || (tally.delivered > 0 && tally.endedEarly > 0))
    }

    @Test func callbackAndDeadlineHaveOneOutcome() async throws {
        var tally = Tally()
        for batch in 0..<20 {
            let results = await withTaskGroup(of: Round.self, returning: [Round].self) { group in
                for index in 0..<50 {
                    group.addTask { await Self.raceDeadline(delay: .microseconds(600 + 20 * index + batch)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for result in results { check(result.outcome, result.delivery, stops: result.stops, &tally) }
        }
        #expect(tally.delivered + tally.endedEarly == 1_000)
    }

    @Test func twoCallbacksHaveOneWinner() async throws {
        for _ in 0..<rounds {
            let reports = Lock(0)
            let deliveries = Log<(Int, Callback<Int>.Delivery)>()
            let holder = Holder<Int>()
            async let first: Void = Self.call(holder, 1, deliveries)
            async let second: Void = Self.call(holder, 2, deliveries)
            let value = try await withCallback(onMisuse: { _ in reports.withLock { $0 += 1 } }) {
                holder.hold($0)
            }
            _ = await (first, second)
            #expect(deliveries.entries.filter { $0.1 == .accepted }.map(\.0) == [value])
            #expect(deliveries.entries.count { $0.1 == .repeated } == 1)
            #expect(reports.withLock { $0 } == 1)
        }
    }

    @Test func callAndReleaseNeverLoseTheValue() async throws {
        for round in 0..<rounds {
            let holder = Holder<Int>()
            let task = Task { try await withCallback(of: Int.self) { holder.hold($0) } }
            await holder.isArmed.wait()
            let call = Task.detached { holder.callback?(round) }
            holder.release()
            if await call.value == nil {
                await #expect(throws: CallbackError.self) { try await task.value }
            } else {
                #expect(try await task.value == round)
            }
        }
    }

    private struct Round: Sendable {
        let outcome: Result<Int, CallbackError>
        let delivery: Callback<Int>.Delivery?
        let stops: Int
    }

    private static func raceDeadline(delay: Duration) async -> Round {
        let holder = Holder<Int>()
        let stops = Lock(0)
        async let delivery = Task.detached {
            await holder.isArmed.wait()
            try? await Task.sleep(for: delay)
            return holder.callback?(1)
        }.value
        let outcome = await wait(holder, stops, timeout: .milliseconds(1))
        return Round(outcome: outcome, delivery: await delivery, stops: stops.withLock { $0 })
    }

    private static func wait(
        _ holder: Holder<Int>,
        _ stops: Lock<Int>,
        timeout: Duration? = nil
    ) async -> Result<Int, CallbackError> {
        do {
            let value = try await withCancellableCallback(of: Int.self, timeout: timeout) { callback in
                holder.hold(callback)
                return { stops.withLock { $0 += 1 } }
            }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private static func call(
        _ holder: Holder<Int>,
        _ number: Int,
        _ deliveries: Log<(Int, Callback<Int>.Delivery)>
    ) async {
        await holder.isArmed.wait()
        guard let callback = holder.callback else { return }
        deliveries.add((number, callback(number)))
    }

    private func check(
        _ outcome: Result<Int, CallbackError>,
        _ delivery: Callback<Int>.Delivery?,
        stops: Int,
        _ tally: inout Tally
    ) {
        switch (outcome, delivery, stops) {
        case (.success, .accepted, 0):
            tally.delivered += 1
        case (.failure(.cancelled), .late, 1), (.failure(.timedOut), .late, 1):
            tally.endedEarly += 1
        default:
            Issue.record("\(outcome), \(String(describing: delivery)), stopped \(stops) times")
        }
    }
}

/// Wastes a little time, so that two threads meet at different points.
func spin(_ turns: Int) {
    for _ in 0..<turns { _ = Deadline.now }
}
