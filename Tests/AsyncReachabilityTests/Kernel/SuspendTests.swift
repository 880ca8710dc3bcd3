import AsyncPrimitives
import CLinux
import Glibc
import Support
import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct SuspendTests {
    @Test func onlyTimeInSuspendCounts() {
        var detector = SuspendDetector()
        let readings: [Duration] = [.seconds(5), .seconds(5), .seconds(5.05), .seconds(9), .seconds(9)]
        let woken = readings.map { detector.hasWoken(suspendedTime: $0) }
        #expect(woken == [false, false, false, true, false])
    }

    @Test func slowDriftOfTheReadingsIsNoSuspend() {
        var detector = SuspendDetector()
        let woken = (0..<1000).map { detector.hasWoken(suspendedTime: .microseconds($0 % 7)) }
        #expect(!woken.contains(true))
    }

    @Test func clockThatRunsHasNotBeenSuspendedMeanwhile() {
        var detector = SuspendDetector()
        _ = detector.hasWoken(suspendedTime: SuspendDetector.suspendedTime())
        let hasWoken = detector.hasWoken(suspendedTime: SuspendDetector.suspendedTime())
        #expect(!hasWoken)
    }

    @Test(.enabled(if: canSetClock, "the clock can't be set here"))
    func alarmRingsWhenTheClockIsSet() throws {
        let alarm = try #require(ClockAlarm())
        var entry = pollfd(fd: alarm.descriptor.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 0) == 0)
        setClockToItself()
        #expect(poll(&entry, 1, 5000) == 1)
        alarm.silence()
        #expect(poll(&entry, 1, 0) == 0)
        setClockToItself()
        #expect(poll(&entry, 1, 5000) == 1)
    }

    @Test(.enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")"))
    func sameNetworkAfterASuspendIsANewGenerationAndNamesAreLookedUpAgain() async throws {
        let network = try NetworkNamespace()
        try await network.connect()
        let slept = Lock(Duration.zero)
        let resolver = ListedResolver(["www.example.org": .addresses([.farIPv4])])
        let source = NamespacedSource(network) { settings in
            settings.suspendedTime = { slept.withLock { $0 } }
            settings.resolver = resolver
        }
        let monitor = ReachabilityMonitor(of: .host(try Host("www.example.org")), source: source)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.generation == 1)
        slept.withLock { $0 = .seconds(60) }
        // Any event will do; the alarm would ring on a machine that really woke up.
        try network.ip("route add 198.51.100.0/24 via 192.0.2.1")
        let after = await changes.next()
        #expect(after?.generation == 2)
        #expect(after?.localAddress == "192.0.2.2")
        #expect(await eventually { resolver.count == 2 })
    }
}

private let canSetClock = setClockToItself() == 0

/// A setting that changes next to nothing and that the kernel announces all the same.
@discardableResult
private func setClockToItself() -> Int32 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return clock_settime(CLOCK_REALTIME, &now)
}
