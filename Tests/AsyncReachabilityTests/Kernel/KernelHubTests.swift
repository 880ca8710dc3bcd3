import AsyncPrimitives
import Dispatch
import Support
import Testing

@testable import AsyncReachability

/// What the reader does under churn, overload and refusal; every delivery is counted, none conflated.
@Suite(
    .serialized,
    .timeLimit(.minutes(3)),
    .enabled(if: NetworkNamespace.isAvailable, "\(NetworkNamespace.refusal ?? "")")
)
struct KernelHubTests {
    let network: NetworkNamespace
    let deliveries = State<[NetworkPath]>([])

    init() throws {
        network = try NetworkNamespace()
    }

    /// A hub with one watch; it must be held until the end.
    private func watch(_ before: @escaping @Sendable (NetworkPath) -> Void = { _ in }) throws -> KernelHub {
        try network.inside { [deliveries] in
            let hub = KernelHub(KernelSettings(devices: ListedDevices()))
            _ = hub.add(.internet) { path in
                deliveries.update { $0.append(path) }
                before(path)
            }
            return hub
        }
    }

    private func deliveries(count: Int) async -> [NetworkPath] {
        for await all in deliveries where all.count >= count { return all }
        return []
    }

    @Test func containersThatComeAndGoDeliverNothing() async throws {
        try await network.connect()
        let watch = try watch()
        #expect(await deliveries(count: 1).count == 1)
        let cycle = [
            "link add c0 type veth peer name c1", "link set c0 up", "link set c1 up",
            "address add 172.18.0.1/16 dev c0", "link del c0",
        ]
        try network.ip(batch: (0..<100).flatMap { _ in cycle })
        // The end of the line: whatever was wrongly delivered comes before it.
        try network.ip("route del default")
        #expect(await deliveries(count: 2).dropFirst() == [.unreachable(.noRoute)])
        withExtendedLifetime(watch) {}
    }

    @Test func addressThatIsOnlyRefreshedDeliversNothing() async throws {
        try await network.connect()
        let watch = try watch()
        #expect(await deliveries(count: 1).count == 1)
        let refresh = "address replace 192.0.2.2/24 dev eth0 valid_lft 600 preferred_lft 600"
        try network.ip(batch: (0..<50).map { _ in refresh })
        try network.ip("route del default")
        #expect(await deliveries(count: 2).dropFirst() == [.unreachable(.noRoute)])
        withExtendedLifetime(watch) {}
    }

    @Test func readerThatWasStalledThroughAnOverrunFindsTheTruth() async throws {
        try await network.connect()
        let isStalled = State(true)
        let stall = DispatchSemaphore(value: 0)
        let watch = try watch { _ in
            if isStalled.latest == true { stall.wait() }
        }
        #expect(await deliveries(count: 1).count == 1)
        let routes = (0..<20_000).map { "route add 10.\($0 / 256).\($0 % 256).0/24 via 192.0.2.1" }
        try network.ip(batch: routes)
        // The newest messages are the ones that are lost, and this one says nothing about routes anyway.
        try network.ip("link set eth0 down")
        #expect(try lostMessages() > 0)
        isStalled.set(false)
        stall.signal()
        #expect(await deliveries(count: 2).last == .unreachable(.noLink))
        // The reader lives on.
        try network.ip("link set eth0 up")
        #expect(await deliveries(count: 3).last == .unreachable(.noRoute))
        withExtendedLifetime(watch) {}
    }

    /// The drop counters of this namespace's netlink sockets (column nine of /proc/net/netlink).
    private func lostMessages() throws -> Int {
        try network.proc("net/netlink").split(separator: "\n").dropFirst().reduce(0) { sum, line in
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            return sum + (columns.count > 8 ? Int(columns[8]) ?? 0 : 0)
        }
    }
}
