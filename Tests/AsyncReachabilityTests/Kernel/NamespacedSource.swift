import Support
import Testing

@testable import AsyncReachability

/// A kernel source whose threads are in a namespace.
struct NamespacedSource: DirectNetworkSource {
    let namespace: NetworkNamespace
    let source: KernelNetworkSource

    init(_ namespace: NetworkNamespace, _ change: (inout KernelSettings) -> Void = { _ in }) {
        self.namespace = namespace
        var settings = KernelSettings(devices: ListedDevices())
        change(&settings)
        source = KernelNetworkSource(settings)
    }

    func paths(to target: NetworkTarget) -> AsyncStream<NetworkPath> {
        do {
            return try namespace.inside { [source] in source.paths(to: target) }
        } catch {
            Issue.record(error)
            return AsyncStream { $0.finish() }
        }
    }

    func watch(
        _ target: NetworkTarget,
        deliver: @escaping @Sendable (NetworkPath) -> Void
    ) -> @Sendable () -> Void {
        do {
            return try namespace.inside { [source] in source.watch(target, deliver: deliver) }
        } catch {
            Issue.record(error)
            return {}
        }
    }
}

extension NetworkNamespace {
    /// A cable to a router: `eth0` here, `far0` at the other end.
    func plugIn() async throws {
        try await plugIn("eth0", far: "far0")
    }

    /// A cable with a name of its own; the kernel reports carrier a moment after the link is up.
    func plugIn(_ name: String, far: String) async throws {
        try ip("link add \(name) type veth peer name \(far)", "link set \(far) up", "link set \(name) up")
        let hasCarrier = try await eventually {
            try inside { try KernelRoutingTables().links().contains { $0.name == name && $0.isUsable } }
        }
        #expect(hasCarrier)
    }

    /// The cable, an address and a default route over it.
    func connect() async throws {
        try await plugIn()
        try ip("address add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1")
    }
}
