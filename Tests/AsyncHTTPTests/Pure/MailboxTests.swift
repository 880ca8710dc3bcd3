import AsyncPrimitives
import Testing

@testable import AsyncHTTP

@Suite(.timeLimit(.minutes(1)))
struct MailboxTests {
    private let bell: WakeBell

    init() throws {
        bell = try #require(WakeBell())
    }

    private func transfer() throws -> Transfer {
        let hop = try Hop(HTTPRequest(url: "http://a/"), Hop.Rules(HTTPClient.Configuration()))
        return Transfer(hop, deadline: .now)
    }

    @Test func theFirstTransferStartsTheThreadAndLaterOnesWakeItOnce() throws {
        var box = Mailbox(maximum: 9)
        var steps = [try box.submit(transfer()), try box.submit(transfer())]
        let mail = box.collect(settled: 0)
        let maySleep = box.sleep(bell, settled: 0)
        steps += [try box.submit(transfer()), try box.submit(transfer())]
        #expect(steps == [.startThread, .none, .wake(bell), .none])
        #expect(mail.arrivals.count == 2)
        #expect(maySleep)
    }

    @Test func theThreadMayNotSleepOnUnreadMail() throws {
        var box = Mailbox(maximum: 9)
        _ = try box.submit(transfer())
        let early = box.sleep(bell, settled: 0)
        _ = box.collect(settled: 0)
        let late = box.sleep(bell, settled: 0)
        #expect(!early && late)
    }

    @Test func whatComesWhileTheThreadIsEndingKeepsIt() throws {
        var box = Mailbox(maximum: 9)
        _ = try box.submit(transfer())
        _ = box.collect(settled: 0)
        let during = try box.submit(transfer())
        let first = box.endThread()
        _ = box.collect(settled: 0)
        let second = box.endThread()
        let after = try box.submit(transfer())
        #expect([during, after] == [.none, .startThread])
        #expect(!first.mayEnd && second.mayEnd)
    }

    @Test func theSettledMakeRoom() throws {
        var box = Mailbox(maximum: 1)
        _ = try box.submit(transfer())
        #expect(throws: HTTPClient.Error.overloaded(limit: 1)) { try box.submit(transfer()) }
        _ = box.collect(settled: 0)
        _ = box.sleep(bell, settled: 1)
        _ = try box.submit(transfer())
    }

    @Test func anIdleBoxClosesAtOnce() throws {
        var box = Mailbox(maximum: 9)
        let step = box.close()
        #expect(step == .ended)
        #expect(throws: HTTPClient.Error.closed) { try box.submit(transfer()) }
    }

    @Test func aBusyBoxIsClosedByItsThread() throws {
        var box = Mailbox(maximum: 9)
        _ = try box.submit(transfer())
        let first = box.close()
        let mail = box.collect(settled: 0)
        let end = box.endThread()
        let second = box.close()
        #expect(mail.isClosing && end.mayEnd)
        #expect([first, end.step, second] == [.none, .ended, .ended])
    }

    @Test func aCancellationWithoutAThreadIsDropped() throws {
        var box = Mailbox(maximum: 9)
        let steps = [try box.cancel(transfer()), try box.submit(transfer())]
        let mail = box.collect(settled: 0)
        #expect(steps == [.none, .startThread])
        #expect(mail.cancellations.isEmpty)
    }
}

extension Mailbox.Step: Equatable {
    static func == (first: Self, second: Self) -> Bool {
        switch (first, second) {
        case (.none, .none), (.startThread, .startThread), (.ended, .ended): true
        case (.wake(let first), .wake(let second)): first.descriptor === second.descriptor
        default: false
        }
    }
}
