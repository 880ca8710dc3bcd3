import AsyncPrimitives
import AsyncReachability
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReachabilityMonitorTests {
    let network = ScriptedNetworkSource(.offline)

    @Test func makingAMonitorDoesNothing() {
        let monitor = ReachabilityMonitor(source: network)
        _ = monitor.modes
        _ = monitor.changes
        #expect(network.watchCount == 0)
    }

    @Test(arguments: [NetworkPath.offline, .wifi, .unreachable(.refused)])
    func firstReadIsTheTruth(path: NetworkPath) async {
        network.set(path)
        #expect(await ReachabilityMonitor(source: network).current.path == path)
    }

    @Test func firstElementComesAlsoWhenThereIsNoNetwork() async {
        let monitor = ReachabilityMonitor(source: network)
        var modes = monitor.modes.makeAsyncIterator()
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await modes.next() == ConnectionMode.none)
        #expect(await changes.next() == Reachability(path: .offline, generation: 0))
    }

    @Test func eachChangeIsOneElement() async {
        let monitor = ReachabilityMonitor(source: network)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.reason == .noLink)
        for (path, generation) in [(NetworkPath.wifi, 1), (.otherWifi, 2), (.offline, 2), (.tunnel, 3)] {
            network.set(path)
            #expect(await changes.next() == Reachability(path: path, generation: generation))
        }
    }

    @Test func modesHaveNoEqualNeighbours() async {
        let monitor = ReachabilityMonitor(source: network)
        let seen = State<[ConnectionMode]>([])
        let task = Task {
            for await mode in monitor.modes { seen.update { $0.append(mode) } }
        }
        var changes = monitor.changes.makeAsyncIterator()
        for (path, count) in [(NetworkPath.offline, 1), (.wifi, 2), (.otherWifi, 2), (.wired, 3)] {
            network.set(path)
            while await changes.next()?.path != path {}
            for await all in seen where all.count == count { break }
        }
        #expect(seen.latest == [ConnectionMode.none, .wifi, .wired])
        task.cancel()
    }

    @Test func interruptionIsAnotherGenerationOfTheSameNetwork() async {
        network.set(.wifi)
        let monitor = ReachabilityMonitor(source: network)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next() == Reachability(path: .wifi, generation: 1))
        network.interrupt()
        #expect(await changes.next() == Reachability(path: .wifi, generation: 2))
    }

    @Test func slowReaderSkipsToTheLatestState() async {
        let monitor = ReachabilityMonitor(source: network)
        var slow = monitor.changes.makeAsyncIterator()
        var quick = monitor.changes.makeAsyncIterator()
        _ = await slow.next()
        _ = await quick.next()
        for path in [NetworkPath.wifi, .offline, .wired] {
            network.set(path)
            #expect(await quick.next()?.path == path)
        }
        #expect(await slow.next()?.path == .wired)
    }

    @Test func manySubscribersShareOneWatchAndSeeTheSame() async {
        let monitor = ReachabilityMonitor(source: network)
        let (ready, gate) = (State(0), State(false))
        let all = await withTaskGroup(of: [NetworkPath].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var seen: [NetworkPath] = []
                    for await change in monitor.changes {
                        seen.append(change.path)
                        if seen.count == 1 { ready.update { $0 += 1 } }
                        if change.path == .wifi { break }
                    }
                    return seen
                }
            }
            for await count in ready where count == 50 { break }
            gate.set(true)
            #expect(network.watchCount == 1)
            network.set(.wifi)
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all.allSatisfy { $0 == [.offline, .wifi] })
    }

    @Test func cancellingASubscriberEndsItsStreamAndNoOther() async {
        let monitor = ReachabilityMonitor(source: network)
        var other = monitor.modes.makeAsyncIterator()
        _ = await other.next()
        let started = State(false)
        let task = Task {
            var count = 0
            for await _ in monitor.modes {
                count += 1
                started.set(true)
            }
            return count
        }
        for await isStarted in started where isStarted { break }
        task.cancel()
        #expect(await task.value == 1)
        network.set(.wifi)
        #expect(await other.next() == .wifi)
    }

    @Test func streamKeepsItsMonitorAliveAndTheLastOneStopsTheWatch() async {
        await readTwoModesOfAMonitorThatOnlyItsStreamHolds()
        #expect(await eventually { network.watchCount == 0 })
    }

    /// A function of its own: an optimised one may keep what it has let go until it returns.
    private func readTwoModesOfAMonitorThatOnlyItsStreamHolds() async {
        var iterator = ReachabilityMonitor(source: network).modes.makeAsyncIterator()
        #expect(await iterator.next() == ConnectionMode.none)
        network.set(.wired)
        #expect(await iterator.next() == .wired)
        #expect(network.watchCount == 1)
    }

    @Test func cancelledSubscriberLetsGoOfItsMonitor() async {
        let task = Task { [network] in
            for await _ in ReachabilityMonitor(source: network).changes {}
        }
        #expect(await eventually { network.watchCount == 1 })
        task.cancel()
        await task.value
        #expect(await eventually { network.watchCount == 0 })
    }

    @Test func sourceThatEndsWithoutAWordIsARefusal() async {
        let monitor = ReachabilityMonitor(source: ManualSource(AsyncStream { $0.finish() }))
        #expect(await monitor.current.reason == .refused)
        var modes = monitor.modes.makeAsyncIterator()
        #expect(await modes.next() == ConnectionMode.none)
    }

    @Test func sourceThatEndsLeavesItsLastWordInForce() async {
        let elements = AsyncStream<NetworkPath> { continuation in
            continuation.yield(.wifi)
            continuation.finish()
        }
        let monitor = ReachabilityMonitor(source: ManualSource(elements))
        #expect(await monitor.current.mode == .wifi)
        #expect(await monitor.current.mode == .wifi)
    }

    @Test func readersThatComeTogetherGetOneAnswer() async {
        network.set(.wired)
        for _ in 0..<200 {
            let monitor = ReachabilityMonitor(source: network)
            let values = await withTaskGroup(of: Reachability.self) { group in
                for _ in 0..<8 { group.addTask { await monitor.current } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(values == [Reachability(path: .wired, generation: 1)])
        }
    }

    @Test func subscribingAndCancellingFromEverywhereNeverHangs() async {
        let monitor = ReachabilityMonitor(source: network)
        let source = network
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<500 {
                        let task = Task {
                            for await _ in monitor.changes where Task.isCancelled { break }
                        }
                        source.set(round.isMultiple(of: 2) ? .wifi : .wired)
                        if worker == 0 { await monitor.suspend() }
                        task.cancel()
                        if worker == 0 { await monitor.resume() }
                        await task.value
                    }
                }
            }
        }
        source.set(.tunnel)
        for await change in monitor.changes where change.path == .tunnel { break }
    }
}
