import AsyncReachability

/// The monitors of the targets, in the order of the command line.
struct Watch: Sendable {
    let monitors: [ReachabilityMonitor]

    var targets: [NetworkTarget] { monitors.map(\.target) }

    /// Hosts or the Internet; both with a probe, which asks somebody on the Internet.
    init(hosts: [Host], probe: (any ReachabilityProbe)?) {
        let ways = hosts.map { ReachabilityMonitor.monitor(for: $0) }
        if let probe {
            monitors = [ReachabilityMonitor(probe: probe)] + ways
        } else {
            monitors = ways.isEmpty ? [.shared] : ways
        }
    }

    /// Shows the present state of each target and then every change, for as long as its task runs.
    func follow(on display: some Display) async {
        await withTaskGroup { group in
            for (index, monitor) in monitors.enumerated() {
                group.addTask {
                    for await state in monitor.changes {
                        await display.show(Row(monitor.target, state), at: index)
                    }
                }
            }
        }
    }

    /// The present state of each target; a probe is waited for.
    func present() async -> [Row] {
        await withTaskGroup { group in
            for (index, monitor) in monitors.enumerated() {
                group.addTask { (index, Row(monitor.target, await settledState(of: monitor))) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}

private func settledState(of monitor: ReachabilityMonitor) async -> Reachability {
    for await state in monitor.changes where state.validation != .pending { return state }
    return await monitor.current
}
