import AsyncPrimitives
import Glibc
import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct EpollPollerTests {
    private let bell: WakeBell
    private let poller: EpollPoller
    /// Two ends of one connection.
    private let here: Descriptor
    private let there: Descriptor

    init() throws {
        bell = try #require(WakeBell())
        poller = try #require(EpollPoller(wokenBy: bell))
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        here = try #require(Descriptor(ends[0]))
        there = try #require(Descriptor(ends[1]))
    }

    private func ready(within milliseconds: Int = 0) -> [Int32: Readiness] {
        var ready: [Int32: Readiness] = [:]
        poller.wait(milliseconds: milliseconds) { ready[$0] = $1 }
        return ready
    }

    private func send() {
        var byte: UInt8 = 1
        write(there.number, &byte, 1)
    }

    @Test func aSocketIsToldForWhatItIsWatchedAndNothingElse() {
        #expect(poller.watch(here.number, for: .readable))
        #expect(ready() == [:])
        send()
        #expect(ready() == [here.number: .readable])
        #expect(poller.watch(here.number, for: .writable))
        #expect(ready() == [here.number: .writable])
        #expect(poller.watch(here.number, for: [.readable, .writable]))
        #expect(ready() == [here.number: [.readable, .writable]])
    }

    @Test func aSocketThatWasGivenUpIsSilentUntilItIsWatchedAgain() {
        send()
        #expect(poller.watch(here.number, for: .readable))
        #expect(poller.watch(here.number, for: []))
        #expect(ready() == [:])
        #expect(poller.watch(here.number, for: .readable))
        #expect(ready() == [here.number: .readable])
    }

    @Test func theEndOfTheOtherSideIsToldUnasked() {
        #expect(poller.watch(here.number, for: .writable))
        shutdown(there.number, Int32(SHUT_RDWR))
        #expect(ready()[here.number]?.contains(.failed) == true)
    }

    /// The time limit of the suite ends a wait that nobody ends.
    @Test func aRingEndsOneWaitAndNoMore() {
        bell.ring()
        #expect(ready(within: 3_600_000) == [:])
        let next = ContinuousClock().measure { _ = ready(within: 50) }
        #expect(next >= .milliseconds(49))
    }

    @Test func whatCannotBeWatchedIsRefusedAndForgotten() throws {
        let file = try #require(Descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)))
        #expect(!poller.watch(file.number, for: .readable))
        #expect(!poller.watch(-1, for: .readable))
        // Giving up what was never watched is no failure.
        #expect(poller.watch(file.number, for: []))
    }
}
