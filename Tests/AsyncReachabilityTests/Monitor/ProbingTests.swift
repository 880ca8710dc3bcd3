import AsyncPrimitives
import Support
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct ProbingTests {
    let network = ScriptedNetworkSource(.wifi)
    let probe = ScriptedProbe()
    let rest = ManualRest()

    private func makeMonitor() -> ReachabilityMonitor {
        ReachabilityMonitor(
            MonitorParts(source: network, probe: probe, rest: { [rest] in await rest.rest($0) })
        )
    }

    @Test func portalMeansOfflineButItsInterfaceStays() async throws {
        let monitor = makeMonitor()
        var changes = monitor.changes.makeAsyncIterator()
        var modes = monitor.modes.makeAsyncIterator()
        var calls = probe.calls.makeAsyncIterator()
        #expect(await changes.next() == Reachability(path: .wifi, validation: .pending, generation: 1))
        #expect(await modes.next() == .wifi)
        let call = try #require(await calls.next())
        #expect(call.route == NetworkPath.wifi.route)
        call.answer(.portal)
        let found = try #require(await changes.next())
        #expect(found == Reachability(path: .wifi, validation: .done(.portal), generation: 1))
        #expect(!found.isReachable)
        #expect(found.reason == .portal)
        #expect(found.mode == .none)
        #expect(found.interface == "wlan0")
        #expect(await modes.next() == ConnectionMode.none)
    }

    @Test func loginIsSeenAtTheNextCall() async throws {
        let monitor = makeMonitor()
        var changes = monitor.changes.makeAsyncIterator()
        var calls = probe.calls.makeAsyncIterator()
        var pauses = rest.pauses.makeAsyncIterator()
        _ = await changes.next()
        await calls.next()?.answer(.portal)
        #expect(await changes.next()?.isReachable == false)
        #expect(try #require(await pauses.next()) < .seconds(12))
        rest.end()
        await calls.next()?.answer(.validated)
        let found = await changes.next()
        #expect(found == Reachability(path: .wifi, validation: .done(.validated), generation: 1))
        #expect(found?.mode == .wifi)
    }

    @Test func failureLeavesTheNetworkReachableAndIsTriedAgainSoonAtFirst() async throws {
        let monitor = makeMonitor()
        var changes = monitor.changes.makeAsyncIterator()
        var calls = probe.calls.makeAsyncIterator()
        var pauses = rest.pauses.makeAsyncIterator()
        _ = await changes.next()
        for seconds in [1, 2, 4] {
            await calls.next()?.answer(.failed)
            let pause = try #require(await pauses.next())
            #expect(pause >= .seconds(seconds) && pause < .seconds(seconds * 2))
            rest.end()
        }
        #expect(await changes.next()?.validation == .done(.failed))
        #expect(await monitor.current.isReachable)
    }

    @Test func firstAnswerDoesNotWaitForTheProbe() async throws {
        let monitor = makeMonitor()
        let now = await monitor.current
        #expect(now.validation == .pending)
        #expect(now.isReachable)
        var calls = probe.calls.makeAsyncIterator()
        try #require(await calls.next()).answer(.validated)
        #expect(await eventually { probe.callCount == 1 })
    }

    @Test func verdictAboutTheNetworkBeforeIsDropped() async throws {
        let monitor = makeMonitor()
        var changes = monitor.changes.makeAsyncIterator()
        var calls = probe.calls.makeAsyncIterator()
        _ = await changes.next()
        let old = try #require(await calls.next())
        network.set(.otherWifi)
        #expect(await changes.next() == Reachability(path: .otherWifi, validation: .pending, generation: 2))
        await old.cancellation.wait()
        old.answer(.portal)
        let new = try #require(await calls.next())
        #expect(new.route == NetworkPath.otherWifi.route)
        #expect(await monitor.current.validation == .pending)
        new.answer(.validated)
        #expect(await changes.next()?.validation == .done(.validated))
    }

    @Test func nextCallWaitsForOneThatIgnoresCancellation() async throws {
        let monitor = makeMonitor()
        var changes = monitor.changes.makeAsyncIterator()
        var calls = probe.calls.makeAsyncIterator()
        _ = await changes.next()
        let stubborn = try #require(await calls.next())
        for path in [NetworkPath.wired, .offline, .tunnel] {
            network.set(path)
            #expect(await changes.next()?.path == path)
        }
        await stubborn.cancellation.wait()
        for _ in 0..<1000 { await Task.yield() }
        #expect(probe.callCount == 1)
        stubborn.answer(.portal)
        let next = try #require(await calls.next())
        #expect(next.route == NetworkPath.tunnel.route)
        #expect(probe.mostCallsAtOnce == 1)
        #expect(probe.callCount == 2)
        next.answer(.validated)
    }
}

extension ProbingTests {
    @Test func nothingIsAskedWithoutANetwork() async throws {
        network.set(.offline)
        let monitor = makeMonitor()
        var changes = monitor.changes.makeAsyncIterator()
        var calls = probe.calls.makeAsyncIterator()
        #expect(await changes.next()?.validation == Validation.none)
        network.set(.wired)
        #expect(await changes.next()?.validation == .pending)
        try #require(await calls.next()).answer(.validated)
        #expect(await changes.next()?.validation == .done(.validated))
        network.set(.unreachable(.noRoute))
        #expect(await changes.next() == Reachability(path: .unreachable(.noRoute), generation: 1))
        #expect(probe.callCount == 1)
    }

    @Test func lossOfTheNetworkCancelsTheCall() async throws {
        let monitor = makeMonitor()
        var calls = probe.calls.makeAsyncIterator()
        _ = await monitor.current
        let call = try #require(await calls.next())
        network.set(.offline)
        await call.cancellation.wait()
        call.answer(.portal)
        #expect(await monitor.current == Reachability(path: .offline, generation: 1))
    }

    @Test func nothingIsAskedWhileSuspended() async throws {
        let monitor = makeMonitor()
        await monitor.suspend()
        #expect(await monitor.current.path == .wifi)
        network.set(.wired)
        #expect(await monitor.current.path == .wired)
        await monitor.resume()
        var calls = probe.calls.makeAsyncIterator()
        let call = try #require(await calls.next())
        #expect(call.route == NetworkPath.wired.route)
        #expect(probe.callCount == 1)
        await monitor.suspend()
        await call.cancellation.wait()
        call.answer(.portal)
        await monitor.resume()
        let next = try #require(await calls.next())
        #expect(await monitor.current.validation == .pending)
        next.answer(.validated)
    }

    @Test func sameNetworkIsAskedAboutAgainAfterResuming() async throws {
        let monitor = makeMonitor()
        var changes = monitor.changes.makeAsyncIterator()
        var calls = probe.calls.makeAsyncIterator()
        _ = await changes.next()
        try #require(await calls.next()).answer(.validated)
        #expect(await changes.next()?.validation == .done(.validated))
        await monitor.suspend()
        await monitor.resume()
        try #require(await calls.next()).answer(.portal)
        #expect(await changes.next() == Reachability(path: .wifi, validation: .done(.portal), generation: 1))
    }

    @Test func nothingIsPendingWithoutAProbe() async {
        let monitor = ReachabilityMonitor(source: network)
        #expect(await monitor.current == Reachability(path: .wifi, validation: .none, generation: 1))
    }

    @Test func monitorThatIsReleasedCancelsItsCall() async throws {
        var calls = probe.calls.makeAsyncIterator()
        await useAMonitorForAMoment()
        let call = try #require(await calls.next())
        await call.cancellation.wait()
        call.answer(.portal)
    }

    /// A function of its own: an optimised one may keep what it has let go until it returns.
    private func useAMonitorForAMoment() async {
        let monitor = makeMonitor()
        _ = await monitor.current
        #expect(await eventually { probe.callCount == 1 })
    }
}
