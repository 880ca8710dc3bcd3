import AsyncPrimitives
import AsyncReachability
import Support
import Testing

/// What a monitor makes of the word of a metered source.
@Suite(.timeLimit(.minutes(1)))
struct MeteredTests {
    let network = ScriptedNetworkSource(.modem)
    let meter = ScriptedMeteredSource()
    let monitor: ReachabilityMonitor

    init() {
        monitor = ReachabilityMonitor(source: network, meteredSource: meter)
    }

    @Test(arguments: [Metered.yes, .no, .guessNo])
    func wordOfTheSourceBeatsTheGuessOfTheRoute(word: Metered) async {
        meter.word.set(word)
        let changes = monitor.changes
        #expect(await changes.first { $0.metered != .guessYes }?.metered == word)
        #expect(await monitor.current.metered == word)
    }

    @Test func unknownLeavesTheGuessOfTheRoute() async {
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.metered == .guessYes)
        meter.word.set(.no)
        #expect(await changes.next()?.metered == .no)
        meter.word.set(.unknown)
        #expect(await changes.next()?.metered == .guessYes)
    }

    @Test func monitorDoesNotWaitForTheSource() async {
        #expect(meter.word.latest == nil)
        #expect(await monitor.current.metered == .guessYes)
    }

    @Test func changeIsAnElementOfChangesAndNotOfModes() async {
        var modes = monitor.modes.makeAsyncIterator()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await modes.next() == .cellular)
        #expect(await changes.next()?.metered == .guessYes)
        meter.word.set(.no)
        #expect(await changes.next() == Reachability(path: .modem, metered: .no, generation: 1))
        network.set(.wifi)
        #expect(await modes.next() == .wifi)
    }

    @Test func wordOutlivesAChangeOfTheNetwork() async {
        meter.word.set(.no)
        var changes = monitor.changes.makeAsyncIterator()
        while await changes.next()?.metered != .no {}
        network.set(.wifi)
        #expect(await changes.next() == Reachability(path: .wifi, metered: .no, generation: 2))
    }

    @Test func watchEndsOnSuspendAndStartsAgainOnResume() async {
        meter.word.set(.yes)
        var changes = monitor.changes.makeAsyncIterator()
        while await changes.next()?.metered != .yes {}
        #expect(meter.word.subscriberCount == 1)
        await monitor.suspend()
        #expect(await eventually { meter.word.subscriberCount == 0 })
        meter.word.set(.no)
        await monitor.resume()
        #expect(await changes.next()?.metered == .no)
        #expect(meter.word.subscriberCount == 1)
    }

    @Test func watchEndsWithTheLastStream() async {
        let (network, meter) = (network, meter)
        do {
            let monitor = ReachabilityMonitor(source: network, meteredSource: meter)
            meter.word.set(.yes)
            #expect(await monitor.changes.first { $0.metered == .yes } != nil)
        }
        #expect(await eventually { meter.word.subscriberCount == 0 })
    }

    @Test func sourceThatEndsLeavesItsLastWord() async {
        let (answers, continuation) = AsyncStream.makeStream(of: Metered.self)
        continuation.yield(.no)
        continuation.finish()
        let monitor = ReachabilityMonitor(source: network, meteredSource: EndedSource(answers: answers))
        #expect(await monitor.changes.first { $0.metered == .no } != nil)
        network.set(.wifi)
        #expect(await monitor.changes.first { $0.mode == .wifi }?.metered == .no)
    }
}

extension NetworkPath {
    /// A route that looks metered by itself.
    fileprivate static let modem = NetworkPath.reachable(
        NetworkRoute(mode: .cellular, interface: "wwan0", localAddress: "192.0.2.9", metered: .guessYes)
    )
}

/// A source that says what a test says.
struct ScriptedMeteredSource: MeteredSource {
    let word = State<Metered>()
    var answers: AsyncStream<Metered> { word.stream }
}

private struct EndedSource: MeteredSource {
    let answers: AsyncStream<Metered>
}
