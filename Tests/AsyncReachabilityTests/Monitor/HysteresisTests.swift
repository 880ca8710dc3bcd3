import AsyncPrimitives
import AsyncReachability
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HysteresisTests {
    let network = ScriptedNetworkSource(.wifi)

    @Test func shortLossIsNotDeliveredThoughItCanBeRead() async {
        let patient = Hysteresis(down: .seconds(300))
        let monitor = ReachabilityMonitor(source: network, hysteresis: patient)
        #expect(await monitor.hysteresis == patient)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == .wifi)
        network.set(.offline)
        while await monitor.current.path != .offline {}
        network.set(.wired)
        #expect(await changes.next()?.path == .wired)
    }

    @Test func lossThatLastsIsDelivered() async {
        let monitor = ReachabilityMonitor(source: network, hysteresis: Hysteresis(down: .milliseconds(30)))
        var modes = monitor.modes.makeAsyncIterator()
        #expect(await modes.next() == .wifi)
        let began = ContinuousClock.now
        network.set(.offline)
        #expect(await modes.next() == ConnectionMode.none)
        #expect(ContinuousClock.now - began >= .milliseconds(30))
    }

    @Test func limitThatIsLiftedLetsGoOfWhatItHolds() async {
        let monitor = ReachabilityMonitor(source: network, hysteresis: Hysteresis(down: .seconds(300)))
        var modes = monitor.modes.makeAsyncIterator()
        #expect(await modes.next() == .wifi)
        network.set(.offline)
        while await monitor.current.path != .offline {}
        await monitor.setHysteresis(.none)
        #expect(await modes.next() == ConnectionMode.none)
    }

    @Test func limitWithoutEndHoldsForEver() async {
        let monitor = ReachabilityMonitor(source: network, hysteresis: Hysteresis(down: .seconds(Int64.max)))
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == .wifi)
        network.set(.offline)
        while await monitor.current.path != .offline {}
        network.set(.wired)
        #expect(await changes.next()?.path == .wired)
    }

    @Test func suspensionForgetsWhatWasHeldBack() async {
        let monitor = ReachabilityMonitor(source: network, hysteresis: Hysteresis(down: .seconds(300)))
        var changes = monitor.changes.makeAsyncIterator()
        _ = await changes.next()
        network.set(.offline)
        while await monitor.current.path != .offline {}
        await monitor.suspend()
        network.set(.wired)
        await monitor.resume()
        #expect(await changes.next()?.path == .wired)
    }
}
