import AsyncBridging
import AsyncPrimitives
import AsyncReachability
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WaitUntilReachableTests {
    let network = ScriptedNetworkSource(.offline)

    @Test func returnsAtOnceWhenTheTargetIsReachable() async throws {
        network.set(.wifi)
        let monitor = ReachabilityMonitor(source: network)
        #expect(try await monitor.waitUntilReachable(timeout: .zero + .seconds(10)).path == .wifi)
    }

    @Test func endsWithTheChange() async throws {
        let monitor = ReachabilityMonitor(source: network)
        let wait = Task { try await monitor.waitUntilReachable() }
        #expect(await eventually { network.watchCount == 1 })
        network.set(.unreachable(.noRoute))
        network.set(.wired)
        #expect(try await wait.value.path == .wired)
    }

    @Test func timeOutSaysWhatWasMissing() async {
        let monitor = ReachabilityMonitor(source: network)
        let error = await #expect(throws: ReachabilityMonitor.Error.self) {
            try await monitor.waitUntilReachable(timeout: .milliseconds(30))
        }
        #expect(error == .timedOut(.noLink))
        #expect(error?.description.contains("plug in a cable") == true)
    }

    @Test func cancellationEndsItAtOnce() async {
        let monitor = ReachabilityMonitor(source: network)
        for timeout in [nil, Duration.seconds(60)] {
            let wait = Task { try await monitor.waitUntilReachable(timeout: timeout) }
            wait.cancel()
            let error = await #expect(throws: ReachabilityMonitor.Error.self) { try await wait.value }
            #expect(error == .cancelled)
        }
    }

    @Test func whatWasDeliveredBeforeASuspensionIsNotBelieved() async throws {
        let monitor = ReachabilityMonitor(source: network)
        // Suspended at once again and again: the delivery before may still be under way on another thread.
        for _ in 0..<300 {
            network.set(.wifi)
            await monitor.resume()
            try await monitor.waitUntilReachable()
            await monitor.suspend()
        }
        network.set(.offline)
        for isResumed in [false, true] {
            if isResumed { await monitor.resume() }
            await #expect(throws: ReachabilityMonitor.Error.self) {
                try await monitor.waitUntilReachable(timeout: .milliseconds(30))
            }
        }
        network.set(.wired)
        #expect(try await monitor.waitUntilReachable(timeout: .seconds(20)).path == .wired)
    }

    @Test func sameNetworkAfterASuspensionEndsTheWait() async throws {
        network.set(.wifi)
        let monitor = ReachabilityMonitor(source: network)
        try await monitor.waitUntilReachable()
        await monitor.suspend()
        await monitor.resume()
        #expect(try await monitor.waitUntilReachable(timeout: .seconds(20)).path == .wifi)
    }

    @Test func networkThatCannotBeLookedAtIsNotWaitedFor() async {
        network.set(.unreachable(.refused))
        let error = await #expect(throws: ReachabilityMonitor.Error.self) {
            try await ReachabilityMonitor(source: network).waitUntilReachable()
        }
        #expect(error == .refused)
    }

    @Test func everyWaiterIsResumedOnceWhileTheNetworkFlaps() async throws {
        let monitor = ReachabilityMonitor(source: network)
        let source = network
        for _ in 0..<100 {
            source.set(.offline)
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await monitor.waitUntilReachable(timeout: .seconds(30))
                        return 1
                    }
                }
                group.addTask {
                    for _ in 0..<20 {
                        source.set(.wifi)
                        source.set(.offline)
                    }
                    source.set(.wired)
                    return 0
                }
                return try await group.reduce(0, +)
            }
            #expect(count == 20)
        }
    }

    @Test func synchronousCodeWaitsToo() async throws {
        let blocking = ReachabilityMonitor(source: network).blocking
        let source = network
        let path = try await onThread {
            source.set(.wifi)
            return try blocking.waitUntilReachable(timeout: .seconds(20)).path
        }
        #expect(path == .wifi)
    }

    @Test func synchronousCodeIsLetGoWhenTheTimeIsOver() async throws {
        let blocking = ReachabilityMonitor(source: network).blocking
        let isTimeOut = try await onThread {
            do {
                _ = try blocking.waitUntilReachable(timeout: .milliseconds(20))
                return false
            } catch let error as SyncBridge.Error<ReachabilityMonitor.Error> {
                if case .timedOut = error { return true }
                throw error
            }
        }
        #expect(isTimeOut)
    }
}
