import AsyncPrimitives
import Foundation
import Support
import Testing

@testable import AsyncReachability

/// What watches cost and leave behind; each in a process of its own, where nobody else opens anything.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.refusal ?? "")")
)
struct NetworkManagerResourceTests {
    @Test func twoHundredWatchesLeaveNoDescriptorAndNoThread() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            let manager = try await FakeNetworkManager(on: bus, .number(1))
            let source = NetworkManagerSource(busAddress: bus.address)
            // The library stays loaded after the first.
            try await takeOne(from: source)
            let before = ResourceUse.now.descriptors
            for _ in 0..<200 { try await takeOne(from: source) }
            // The runtime opens some of its own; a leak would be hundreds.
            #expect(await eventually { watchers().isEmpty && ResourceUse.now.descriptors <= before + 4 })
            manager.leave()
            bus.kill()
        }
    }

    @Test func watchHoldsTwoDescriptors() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            let source = NetworkManagerSource(busAddress: bus.address)
            try await takeOne(from: source)
            #expect(await eventually { watchers().isEmpty })
            let before = ResourceUse.now.descriptors
            var watches: [AsyncStream<Metered>.Iterator] = (0..<20).map { _ in
                source.answers.makeAsyncIterator()
            }
            for index in watches.indices { #expect(await watches[index].next() == .unknown) }
            #expect(ResourceUse.now.descriptors <= before + 2 * watches.count + 4)
            #expect(watchers().count == watches.count)
            bus.kill()
        }
    }

    @Test func threadIsNeverWokenWhenNothingChanges() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            var answers = NetworkManagerSource(busAddress: bus.address).answers.makeAsyncIterator()
            #expect(await answers.next() == .unknown)
            // The thread has delivered and may still be on its way to sleep.
            try await Task.sleep(for: .milliseconds(100))
            let before = watchers()
            try await Task.sleep(for: .milliseconds(500))
            #expect(before.count == 1)
            #expect(watchers() == before)
            bus.kill()
        }
    }

    @Test func cancellationEndsAWatchThatNetworkManagerOwesAnAnswer() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            let manager = try await FakeNetworkManager(on: bus, .silence)
            let answers = NetworkManagerSource(busAddress: bus.address).answers
            let reader = Task<Metered?, Never> {
                for await answer in answers { return answer }
                return nil
            }
            for await count in manager.questions where count == 1 { break }
            #expect(watchers().count == 1)
            reader.cancel()
            #expect(await reader.value == nil)
            #expect(await eventually(within: .seconds(2)) { watchers().isEmpty })
            manager.leave()
            bus.kill()
        }
    }

    @Test func cancellationEndsAWatchOfABusThatDoesNotMove() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            bus.freeze()
            let settings = NetworkManagerSource.Settings(
                busAddress: bus.address,
                answerTimeout: .milliseconds(50)
            )
            await readOnce(NetworkManagerSource(settings))
            #expect(await eventually(within: .seconds(2)) { watchers().isEmpty })
            bus.kill()
        }
    }

    @Test func busThatWakesUpIsHeard() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            let manager = try await FakeNetworkManager(on: bus, .number(1))
            bus.freeze()
            let settings = NetworkManagerSource.Settings(
                busAddress: bus.address,
                answerTimeout: .milliseconds(50)
            )
            var answers = NetworkManagerSource(settings).answers.makeAsyncIterator()
            #expect(await answers.next() == .unknown)
            bus.thaw()
            #expect(await answers.next() == .yes)
            manager.leave()
            bus.kill()
        }
    }
}

/// A function of its own: an optimised one may keep what it has let go until it returns.
private func readOnce(_ source: NetworkManagerSource) async {
    var answers = source.answers.makeAsyncIterator()
    #expect(await answers.next() == .unknown)
    #expect(watchers().count == 1)
}

private func takeOne(from source: NetworkManagerSource) async throws {
    for await _ in source.answers { break }
}

/// How often each thread of a watch has been put to sleep (proc(5), voluntary_ctxt_switches).
private func watchers() -> [Substring] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.compactMap { task in
        let status = try? String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8)
        guard let status, status.hasPrefix("Name:\tmetered\n") else { return nil }
        return status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    }
}
