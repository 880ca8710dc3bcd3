import AsyncReachability
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SharedMonitorTests {
    @Test func equalHostsHaveTheIdenticalMonitor() throws {
        let first = ReachabilityMonitor.monitor(for: try Host("http://example.org/"))
        for text in ["http://example.org", "EXAMPLE.org.", "example.org:443", "https://example.org/a?b#c"] {
            #expect(ReachabilityMonitor.monitor(for: try Host(text)) === first, "\(text)")
        }
        #expect(ReachabilityMonitor.monitor(for: try Host("www.example.org")) !== first)
        #expect(first.target == .host(try Host("example.org")))
    }

    @Test func monitorOfAHostIsReleasedWithItsLastUser() throws {
        weak let released = ReachabilityMonitor.monitor(for: try Host("released.example.org"))
        #expect(released == nil)
    }

    @Test func manyTasksThatAskAtOnceGetOneMonitor() async throws {
        let host = try Host("192.0.2.99")
        let monitors = await withTaskGroup(of: ReachabilityMonitor.self) { group in
            for _ in 0..<200 { group.addTask { ReachabilityMonitor.monitor(for: host) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(monitors.map(ObjectIdentifier.init)).count == 1)
    }

    @Test func monitorsOfDifferentTargetsHearTheirOwnScript() async throws {
        let network = ScriptedNetworkSource(.offline)
        let host = NetworkTarget.host(try Host("203.0.113.5"))
        network.set(.wired, for: host)
        #expect(await ReachabilityMonitor(of: host, source: network).current.path == .wired)
        network.set(.wifi)
        #expect(await ReachabilityMonitor(source: network).current.path == .wifi)
        #expect(await ReachabilityMonitor(of: host, source: network).current.path == .wired)
    }
}
