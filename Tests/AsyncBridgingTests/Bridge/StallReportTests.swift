import AsyncBridging
import AsyncPrimitives
import Support
import Testing

/// Serial, because the settings are those of the whole process.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct StallReportTests {
    @Test func idleWaitIsReportedOnceWithItsCallSite() async throws {
        let (interval, onStall) = (SyncBridge.stallInterval, SyncBridge.onStall)
        defer { (SyncBridge.stallInterval, SyncBridge.onStall) = (interval, onStall) }
        let line: UInt = #line + 7
        let reports = Lock<[SyncBridge.StallReport]>([])
        SyncBridge.stallInterval = .milliseconds(10)
        SyncBridge.onStall = { report in
            if report.callSite.line == line { reports.withLock { $0.append(report) } }
        }
        try await onThread {
            try? SyncBridge.wait(timeout: .milliseconds(60)) { await Gate().wait() }
        }
        let report = try #require(reports.withLock { $0.first })
        #expect(reports.withLock { $0.count } == 1)
        #expect(report.callSite.fileID.hasSuffix("StallReportTests.swift"))
        #expect(report.idle >= .milliseconds(10))
        #expect(report.jobCount > 0)
    }

    @Test func defaultDeadlineIsThatOfTheProcess() async throws {
        let timeout = SyncBridge.defaultTimeout
        #expect(timeout == .seconds(300))
        SyncBridge.defaultTimeout = .seconds(200)
        defer { SyncBridge.defaultTimeout = timeout }
        #expect(SyncBridge.defaultTimeout == .seconds(200))
    }
}
