import AsyncPrimitives
import Glibc
import Support
import Testing

@testable import AsyncReachability

/// A resolver with fixed answers that can be changed, and a count.
final class ListedResolver: NameResolver {
    private let contents: Lock<(names: [String: Lookup], count: Int)>

    init(_ names: [String: Lookup]) {
        contents = Lock((names, 0))
    }

    var count: Int { contents.withLock { $0.count } }

    func set(_ lookup: Lookup, for name: String) {
        contents.withLock { $0.names[name] = lookup }
    }

    func lookUp(_ name: String) -> Lookup {
        contents.withLock { contents in
            contents.count += 1
            return contents.names[name] ?? .unknownName
        }
    }
}

@Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct NamedHostTests {
    let network: NetworkNamespace

    init() throws {
        network = try NetworkNamespace()
        try network.disableIPv6()
    }

    private func monitor(
        _ name: String,
        _ resolver: any NameResolver,
        timeout: Duration = .seconds(5)
    ) throws -> ReachabilityMonitor {
        let source = NamespacedSource(network) { settings in
            settings.resolver = resolver
            settings.nameTimeout = timeout
        }
        return ReachabilityMonitor(of: .host(try Host(name)), source: source)
    }

    @Test func nameIsReachedByItsAddresses() async throws {
        try await network.connect()
        let address = try #require(IPAddress.v4(203, 0, 113, 5))
        let resolver = ListedResolver(["www.example.org": .addresses([.farIPv6, address])])
        let current = await (try monitor("www.example.org", resolver)).current
        #expect(current.localAddress == "192.0.2.2")
        #expect(resolver.count == 1)
    }

    @Test func nameThatDoesNotExistIsNotResolvedWhereThereIsAWay() async throws {
        try await network.connect()
        #expect(await (try monitor("no.example.org", ListedResolver([:]))).current.reason == .nameNotResolved)
    }

    @Test func failedLookupWithoutAWayIsToldAsTheLackOfIt() async throws {
        let monitor = try monitor("www.example.org", ListedResolver(["www.example.org": .failed]))
        #expect(await monitor.current.reason == .noLink)
    }

    @Test func nameIsLookedUpAgainOnAnotherNetworkAndOnlyThen() async throws {
        try await network.connect()
        let address = try #require(IPAddress.v4(203, 0, 113, 5))
        let resolver = ListedResolver(["www.example.org": .addresses([address])])
        let monitor = try monitor("www.example.org", resolver)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.isReachable == true)
        try network.ip("route add 198.51.100.0/24 via 192.0.2.1", "route add prohibit 203.0.113.6/32")
        try network.ip("route add prohibit 203.0.113.5/32")
        #expect(await changes.next()?.reason == .prohibited)
        #expect(resolver.count == 1)
        resolver.set(.addresses([try #require(IPAddress.v4(203, 0, 113, 7))]), for: "www.example.org")
        try network.ip("route replace default via 192.0.2.254")
        #expect(await changes.next()?.isReachable == true)
        #expect(resolver.count == 2)
    }

    @Test func networkThatComesBackIsNoticedThoughLookupsFailedBefore() async throws {
        let address = try #require(IPAddress.v4(203, 0, 113, 5))
        let resolver = ListedResolver(["www.example.org": .failed])
        let monitor = try monitor("www.example.org", resolver)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.reason == .noLink)
        resolver.set(.addresses([address]), for: "www.example.org")
        try await network.connect()
        while let change = await changes.next(), !change.isReachable {}
        #expect(await monitor.current.interface == "eth0")
    }

    @Test func lookupThatTakesTooLongDoesNotHoldTheReaderUp() async throws {
        try await network.connect()
        let resolver = HeldResolver()
        let monitor = try monitor("www.example.org", resolver, timeout: .milliseconds(50))
        #expect(await monitor.current.reason == .nameNotResolved)
        // The late result is dropped; what counts is that of the next lookup.
        resolver.letGo(2)
        try await monitor.waitUntilReachable(timeout: .seconds(20))
        #expect(resolver.started.latest?.count == 2)
    }

    @Test func manyMonitorsOfOneNameShareOneLookup() async throws {
        try await network.connect()
        let resolver = HeldResolver()
        let source = NamespacedSource(network) { $0.resolver = resolver }
        let host = NetworkTarget.host(try Host("www.example.org"))
        let readers = (0..<20).map { _ in
            Task { await ReachabilityMonitor(of: host, source: source).current.isReachable }
        }
        for await started in resolver.started where !started.isEmpty { break }
        resolver.letGo(2)
        for reader in readers { #expect(await reader.value) }
        // A second one when the kernel was late with the news that the cable is there.
        #expect((1...2).contains(resolver.started.latest?.count ?? 0))
    }

    @Test func readerThatIsCancelledDuringALookupLeavesAtOnce() async throws {
        try await network.connect()
        let resolver = HeldResolver()
        let monitor = try monitor("www.example.org", resolver)
        let reader = Task { await monitor.current.reason }
        for await started in resolver.started where !started.isEmpty { break }
        let began = ContinuousClock.now
        reader.cancel()
        #expect(await reader.value == .cancelled)
        #expect(ContinuousClock.now - began < .seconds(2))
        resolver.letGo()
    }

    @Test func monitorsAreReleasedDuringTheirLookupsWithoutHarm() async throws {
        try await network.connect()
        let resolver = HeldResolver(.failed)
        for round in 0..<200 {
            let monitor = try monitor("host\(round).example.org", resolver)
            let task = Task { for await _ in monitor.changes {} }
            if round.isMultiple(of: 2) {
                for await started in resolver.started where started.count > round / 2 { break }
            }
            task.cancel()
            await task.value
            resolver.letGo()
        }
        resolver.letGo(200)
    }
}

/// The system's resolver with a name server that takes questions and never answers.
@Suite(.timeLimit(.minutes(2)))
struct DeadNameServerTests {
    @Test(.enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")"))
    func deadNameServerIsToldInTimeAndBlocksNobody() async {
        await #expect(processExitsWith: .success) {
            let network = try NetworkNamespace()
            try await network.connect()
            try network.ip("link set lo up")
            let silence = try network.inside { try silentNameServer() }
            let host = NetworkTarget.host(try Host("www.example.org"))
            let source = KernelNetworkSource(nameTimeout: .milliseconds(200))
            let began = ContinuousClock.now
            let paths = try network.inside(withNameServer: "127.0.0.1") { source.paths(to: host) }
            #expect(ContinuousClock.now - began < .seconds(1))
            var iterator = paths.makeAsyncIterator()
            #expect(await iterator.next() == .unreachable(.nameNotResolved))
            #expect(ContinuousClock.now - began < .seconds(5))
            // The resolver itself gives up after ten seconds, so the answer did not come from it.
            var question = [UInt8](repeating: 0, count: 512)
            #expect(recv(silence, &question, question.count, Int32(MSG_DONTWAIT)) > 12)
        }
    }

    @Test func nameOfTheHostsFileIsFound() {
        guard case .addresses(let addresses) = SystemNameResolver().lookUp("localhost") else {
            Issue.record("localhost was not found")
            return
        }
        #expect(addresses.allSatisfy { $0.description == "127.0.0.1" || $0.description == "::1" })
    }

    @Test func nameThatCannotBeIsUnknownOrFails() {
        let lookup = SystemNameResolver().lookUp("no-such-name.invalid")
        #expect(lookup == .unknownName || lookup == .failed)
    }
}

/// A UDP socket on port 53 of the loopback link that nobody reads.
private func silentNameServer() throws -> Int32 {
    let server = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    let status = withUnsafeBytes(of: &address) {
        bind(server, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    struct Failure: Error {}
    if status != 0 { throw Failure() }
    return server
}
