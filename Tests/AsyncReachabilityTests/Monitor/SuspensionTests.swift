import AsyncPrimitives
import AsyncReachability
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SuspensionTests {
    let network = ScriptedNetworkSource(.offline)

    @Test func onlyTheLatestStateIsDeliveredAfterResuming() async {
        let monitor = ReachabilityMonitor(source: network)
        var changes = monitor.changes.makeAsyncIterator()
        _ = await changes.next()
        await monitor.suspend()
        #expect(await eventually { network.watchCount == 0 })
        for path in [NetworkPath.wifi, .offline, .wired] { network.set(path) }
        await monitor.resume()
        #expect(await changes.next() == Reachability(path: .wired, generation: 1))
        network.set(.tunnel)
        #expect(await changes.next()?.path == .tunnel)
    }

    @Test func nothingIsDeliveredWhenNothingChangedMeanwhile() async {
        network.set(.wifi)
        let monitor = ReachabilityMonitor(source: network)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.generation == 1)
        await monitor.suspend()
        network.set(.offline)
        network.set(.wifi)
        await monitor.resume()
        #expect(await monitor.current.generation == 1)
        network.set(.wired)
        #expect(await changes.next() == Reachability(path: .wired, generation: 2))
    }

    @Test func suspendedMonitorStillAnswersTruly() async {
        let monitor = ReachabilityMonitor(source: network)
        #expect(await monitor.current.path == .offline)
        await monitor.suspend()
        network.set(.wired)
        #expect(await monitor.current.path == .wired)
        #expect(await eventually { network.watchCount == 0 })
    }

    @Test func monitorThatIsSuspendedFirstAnswersTooButDeliversNothing() async {
        let monitor = ReachabilityMonitor(source: network)
        await monitor.suspend()
        #expect(await monitor.current.path == .offline)
        let received = State(0)
        let task = Task {
            for await _ in monitor.changes { received.update { $0 += 1 } }
        }
        #expect(await monitor.current.path == .offline)
        #expect(received.latest == 0)
        await monitor.resume()
        for await count in received where count == 1 { break }
        task.cancel()
    }

    @Test func streamThatWaitsWhileSuspendedCanBeCancelled() async {
        let monitor = ReachabilityMonitor(source: network)
        await monitor.suspend()
        let task = Task {
            for await _ in monitor.modes { return true }
            return false
        }
        task.cancel()
        #expect(await task.value == false)
    }
}
