import AsyncPrimitives
import Dispatch
import Foundation
import Glibc
import Support
import Testing

@testable import AsyncReachability

/// What watches cost and leave behind; each in a process of its own, where nobody else opens anything.
@Suite(.timeLimit(.minutes(2)))
struct KernelResourceTests {
    @Test(.enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")"))
    func thousandWatchesLeaveNoDescriptorAndNoThread() async {
        await #expect(processExitsWith: .success) {
            let network = try NetworkNamespace()
            // The runtime opens descriptors of its own when it first sleeps.
            try await Task.sleep(for: .milliseconds(1))
            let before = entries("/proc/self/fd")
            for _ in 0..<1_000 {
                let monitor = ReachabilityMonitor(source: NamespacedSource(network))
                #expect(await monitor.current.reason == .noLink)
            }
            // Its own threads also look into proc now and then; a leak would be thousands.
            #expect(await eventually { readers() == 0 && entries("/proc/self/fd") <= before + 4 })
        }
    }

    @Test func makingMonitorsOpensNothingAndStartsNothing() async {
        await #expect(processExitsWith: .success) {
            let before = ResourceUse.now
            var monitors = [ReachabilityMonitor.shared]
            for number in 0..<1_000 {
                let monitor = ReachabilityMonitor.monitor(for: try Host("host\(number).example.org"))
                _ = monitor.changes
                monitors.append(monitor)
            }
            let after = ResourceUse.now
            // The runtime starts threads of its own now and then; those of a thousand monitors would be many.
            #expect(readers() == 0)
            #expect(after.descriptors <= before.descriptors + 4)
            #expect(after.threads <= before.threads + ResourceUse.processors + 2)
            withExtendedLifetime(monitors) {}
        }
    }

    @Test func startingTwiceIsStartingOnceAndSuspendingEndsTheThread() async {
        await #expect(processExitsWith: .success) {
            let monitor = ReachabilityMonitor(source: KernelNetworkSource())
            for _ in 0..<3 {
                _ = await (monitor.current, monitor.current)
                await monitor.resume()
                #expect(readers() == 1)
                await monitor.suspend()
                #expect(await eventually { readers() == 0 })
                await monitor.resume()
            }
        }
    }

    @Test func streamsThatAreCancelledAndReleasedFromEverywhereNeverHang() async {
        await #expect(processExitsWith: .success) {
            let source = KernelNetworkSource()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for round in 0..<2_500 {
                            let monitor = ReachabilityMonitor(source: source)
                            let task = Task { for await _ in monitor.changes {} }
                            if round.isMultiple(of: 3) { _ = await monitor.current }
                            task.cancel()
                            if round.isMultiple(of: 2) { await task.value }
                        }
                    }
                }
            }
            #expect(await eventually { readers() == 0 })
        }
    }

    @Test func subscribersOfOneMonitorShareOneThread() async {
        await #expect(processExitsWith: .success) {
            let monitor = ReachabilityMonitor(source: KernelNetworkSource())
            var iterators = (0..<100).map { _ in monitor.changes.makeAsyncIterator() }
            for index in iterators.indices { _ = await iterators[index].next() }
            #expect(readers() == 1)
        }
    }

    @Test(.enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")"))
    func readerIsNeverWokenWhenNothingChanges() async {
        await #expect(processExitsWith: .success) {
            let monitor = ReachabilityMonitor(source: NamespacedSource(try NetworkNamespace()))
            #expect(await monitor.current.reason == .noLink)
            // It asks twice more after a change, and then must sleep.
            try await Task.sleep(for: ResyncPace.echoes.reduce(.milliseconds(200), +))
            let before = readerSwitches()
            try await Task.sleep(for: .milliseconds(500))
            #expect(before.count == 1)
            #expect(readerSwitches() == before)
            await monitor.suspend()
        }
    }

    @Test func watchThatWasRefusedStartsOnceThereAreDescriptorsAgain() async {
        await #expect(processExitsWith: .success) {
            for spare in 0...1 {
                let paths = State<[NetworkPath]>([])
                let hub = KernelHub(KernelSettings())
                let watch = withDescriptors(spare: spare) {
                    let watch = hub.add(.internet) { path in paths.update { $0.append(path) } }
                    while paths.latest?.isEmpty == true { usleep(1000) }
                    return watch
                }
                #expect(paths.latest == [.unreachable(.refused)])
                for await all in paths where all.count == 2 { break }
                #expect(paths.latest?.last != .unreachable(.refused))
                hub.remove(watch)
                #expect(await eventually { readers() == 0 })
            }
        }
    }

    @Test func processWithoutDescriptorsIsToldTheTruth() async {
        await #expect(processExitsWith: .success) {
            // None for the bell; then one for the bell and none for the socket.
            for spare in 0...1 {
                let answer = withDescriptors(spare: spare) {
                    let (answer, delivered) = (Lock<NetworkPath?>(nil), DispatchSemaphore(value: 0))
                    let hub = KernelHub(KernelSettings())
                    let watch = hub.add(.internet) { path in
                        answer.withLock { $0 = path }
                        delivered.signal()
                    }
                    delivered.wait()
                    hub.remove(watch)
                    return answer.withLock { $0 }
                }
                #expect(answer == .unreachable(.refused))
            }
        }
    }
}

/// Runs the body while the process can open only so many files more.
///
/// The body must be synchronous: the runtime needs descriptors of its own and stops the program without them.
private func withDescriptors<Value>(spare: Int, _ body: () -> Value) -> Value {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    let lowestFree = dup(0)
    close(lowestFree)
    var before = rlimit()
    getrlimit(resource, &before)
    var limit = before
    limit.rlim_cur = rlim_t(Int(lowestFree) + spare)
    setrlimit(resource, &limit)
    defer { setrlimit(resource, &before) }
    return body()
}

private func entries(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
}

/// The reader threads of this process.
private func readers() -> Int {
    readerSwitches().count
}

/// How often each reader thread has been put to sleep (proc(5), voluntary_ctxt_switches).
private func readerSwitches() -> [Substring] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.compactMap { task in
        let status = try? String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8)
        guard let status, status.hasPrefix("Name:\treachability\n") else { return nil }
        return status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    }
}
