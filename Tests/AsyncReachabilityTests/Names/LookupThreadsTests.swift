import AsyncPrimitives
import Dispatch
import Foundation
import Support
import Testing

@testable import AsyncReachability

/// A resolver whose lookups wait until the test lets them go.
final class HeldResolver: NameResolver {
    let started = State<[String]>([])
    private let answer: Lookup
    private let release = DispatchSemaphore(value: 0)

    init(_ answer: Lookup = .addresses([.farIPv4])) {
        self.answer = answer
    }

    func lookUp(_ name: String) -> Lookup {
        started.update { $0.append(name) }
        release.wait()
        return answer
    }

    func letGo(_ count: Int = 1) {
        for _ in 0..<count { release.signal() }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct LookupThreadsTests {
    private let resolver = HeldResolver()
    private let reports = State<[String]>([])

    private func report(_ name: String, _ lookup: Lookup) {
        reports.update { $0.append(name) }
    }

    @Test func noMoreThanTwoLookupsRunAtATimeAndAllAreDoneInOrder() async {
        let lookups = LookupThreads(resolver: resolver)
        let names = (0..<10).map { "host\($0)" }
        for name in names { lookups.lookUp(name, report: report) }
        for await started in resolver.started where started.count == 2 { break }
        resolver.letGo(8)
        for await reported in reports where reported.count == 8 { break }
        for await started in resolver.started where started.count == 10 { break }
        #expect(Set(resolver.started.latest ?? []) == Set(names))
        resolver.letGo(2)
        for await reported in reports where reported.count == 10 { break }
    }

    @Test func nameThatIsBeingLookedUpIsNotLookedUpTwice() async {
        let lookups = LookupThreads(resolver: resolver)
        for _ in 0..<5 { lookups.lookUp("host", report: report) }
        for await started in resolver.started where started.count == 1 { break }
        for _ in 0..<5 { lookups.lookUp("host", report: report) }
        resolver.letGo()
        for await reported in reports where reported.count == 1 { break }
        lookups.lookUp("host", report: report)
        for await started in resolver.started where started.count == 2 { break }
        resolver.letGo()
        for await reported in reports where reported.count == 2 { break }
        #expect(resolver.started.latest == ["host", "host"])
    }

    @Test func answerAboutAnotherNetworkIsDroppedAndTheNameLookedUpAgain() async {
        let lookups = LookupThreads(resolver: resolver)
        lookups.lookUp("host", report: report)
        for await started in resolver.started where started.count == 1 { break }
        lookups.lookUp("host", isNewNetwork: true, report: report)
        resolver.letGo()
        for await started in resolver.started where started.count == 2 { break }
        #expect(reports.latest == [])
        resolver.letGo()
        for await reported in reports where reported == ["host"] { break }
    }

    @Test func nameThatNobodyWantsAnyMoreIsNotLookedUp() async {
        let lookups = LookupThreads(resolver: resolver)
        for name in ["a", "b", "c", "d"] { lookups.lookUp(name, report: report) }
        for await started in resolver.started where started.count == 2 { break }
        lookups.withdraw("c")
        resolver.letGo(3)
        for await reported in reports where reported.count == 3 { break }
        #expect(Set(resolver.started.latest ?? []) == ["a", "b", "d"])
    }

    @Test func threadsEndWithTheWork() async {
        let lookups = LookupThreads(resolver: resolver)
        for round in 0..<50 {
            lookups.lookUp("host\(round)", report: report)
            resolver.letGo()
        }
        for await reported in reports where reported.count == 50 { break }
        #expect(await eventually { LookupThreadsTests.threads() == 0 })
    }

    /// The lookup threads of this process, by their name (proc(5)).
    private static func threads() -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))
                == "reachable-dns\n"
        }
    }
}
