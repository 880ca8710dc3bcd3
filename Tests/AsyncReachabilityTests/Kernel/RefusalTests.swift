import AsyncPrimitives
import CLinux
import Foundation
import Glibc
import Support
import Testing

@testable import AsyncReachability

/// A sandbox that keeps netlink closed; each test in a process of its own, since a filter is for good.
@Suite(.timeLimit(.minutes(2)))
struct RefusalTests {
    @Test func sandboxThatRefusesTheSocketIsSaidAndAskedSlowly() async {
        await #expect(processExitsWith: .success) {
            try SystemCallFilter.refuse(Int(SYS_socket), firstArgument: AF_NETLINK, with: EACCES)
            await expectRefusalWithoutSpinning()
        }
    }

    @Test func sandboxThatRefusesToReadIsSaidAndAskedSlowly() async {
        await #expect(processExitsWith: .success) {
            try SystemCallFilter.refuse(Int(SYS_recvfrom), with: EACCES)
            await expectRefusalWithoutSpinning()
        }
    }

    @Test func systemWithoutNetlinkIsSaidToo() async {
        await #expect(processExitsWith: .success) {
            try SystemCallFilter.refuse(Int(SYS_socket), firstArgument: AF_NETLINK, with: EAFNOSUPPORT)
            await expectRefusalWithoutSpinning()
        }
    }
}

private func expectRefusalWithoutSpinning() async {
    let monitor = ReachabilityMonitor(source: KernelNetworkSource())
    let current = await monitor.current
    #expect(current.reason == .refused)
    #expect(!current.isKnown)
    #expect(current.mode == ConnectionMode.none)
    let wait = await #expect(throws: ReachabilityMonitor.Error.self) {
        try await monitor.waitUntilReachable(timeout: .seconds(60))
    }
    #expect(wait == .refused)
    let before = processorTime()
    try? await Task.sleep(for: .milliseconds(1500))
    #expect(processorTime() - before < .milliseconds(300))
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next()?.reason == .refused)
}

/// What this process has used of the processors.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
