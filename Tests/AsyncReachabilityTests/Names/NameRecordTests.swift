import Testing

@testable import AsyncReachability

@Suite(.timeLimit(.minutes(1)))
struct NameRecordTests {
    private let start = ContinuousClock.now
    private let found = Lookup.addresses([.farIPv4])

    private func begun(at time: ContinuousClock.Instant? = nil) -> NameRecord {
        var record = NameRecord()
        record.begin(at: time ?? start, timeout: .seconds(5))
        return record
    }

    @Test func nothingIsSaidBeforeTheFirstLookupComesBack() {
        #expect(begun().answer == .pending)
        #expect(begun().due == start + .seconds(5))
    }

    @Test func addressesAreTheAnswerAndNothingIsDueAfterwards() {
        var record = begun()
        let isNew = record.receive(found, at: start)
        #expect(isNew)
        #expect(record.answer == .addresses([.farIPv4]))
        #expect(record.due == nil)
    }

    @Test func lookupThatTakesTooLongHasFailedAndItsLateResultIsDropped() {
        var record = begun()
        let isEarly = record.expire(at: start + .seconds(4))
        let isOver = record.expire(at: start + .seconds(5))
        #expect([isEarly, isOver] == [false, true])
        #expect(record.answer == .failed)
        let isLateNews = record.receive(found, at: start + .seconds(6))
        #expect(!isLateNews)
        #expect(record.answer == .failed)
    }

    @Test func failureIsTriedAgainEverMoreSlowly() {
        var record = NameRecord()
        var now = start
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            record.begin(at: now, timeout: .seconds(5))
            _ = record.receive(.failed, at: now)
            #expect(!record.isRetryDue(at: now))
            now += .seconds(seconds)
            #expect(record.isRetryDue(at: now))
            #expect(record.due == now)
        }
    }

    @Test func failuresOfAnotherNetworkDoNotDelayTheNextTry() {
        var record = NameRecord()
        for _ in 0..<5 {
            record.begin(at: start, timeout: .seconds(5))
            _ = record.receive(.failed, at: start)
        }
        record.begin(at: start, timeout: .seconds(5), isNewNetwork: true)
        _ = record.receive(.failed, at: start)
        #expect(record.due == start + .seconds(1))
    }

    @Test func goodAddressesOutliveADeadNameServerButNotTheNameItself() {
        var record = begun()
        _ = record.receive(found, at: start)
        record.begin(at: start, timeout: .seconds(5))
        let failed = record.receive(.failed, at: start)
        #expect(!failed)
        #expect(record.answer == .addresses([.farIPv4]))
        record.begin(at: start, timeout: .seconds(5))
        let expired = record.expire(at: start + .seconds(5))
        #expect(!expired)
        record.begin(at: start, timeout: .seconds(5))
        let isGone = record.receive(.unknownName, at: start)
        #expect(isGone)
        #expect(record.answer == .failed)
    }

    @Test func nameWithoutAddressesHasFailed() {
        var record = begun()
        _ = record.receive(.addresses([]), at: start)
        #expect(record.answer == .failed)
    }

    @Test func sameAddressesAgainAreNoNews() {
        var record = begun()
        _ = record.receive(found, at: start)
        record.begin(at: start, timeout: .seconds(5))
        let isNews = record.receive(found, at: start)
        #expect(!isNews)
    }
}
