import Foundation

/// Something that happens to a network.
struct Happening: Sendable {
    /// What is true afterwards.
    let isOnline: Bool
    /// Brings the network into the state before; `nil` where only a new network and new watchers will do.
    var rewind: (@Sendable (Stage) throws -> Void)?
    /// Lets it happen and returns when it did, by CLOCK_MONOTONIC.
    let happen: @Sendable (Stage) throws -> UInt64

    static let routeAppears = Happening(
        isOnline: true,
        rewind: { try $0.routes.deleteRoute(via: Stage.gateway) },
        happen: { try $0.routes.addRoute(via: Stage.gateway) }
    )

    static let routeDisappears = Happening(
        isOnline: false,
        rewind: { try $0.routes.addRoute(via: Stage.gateway) },
        happen: { try $0.routes.deleteRoute(via: Stage.gateway) }
    )

    static let linkIsSetDown = Happening(isOnline: false) { try $0.routes.setLink("near0", up: false) }

    /// The other end goes, as when a cable is pulled.
    static let carrierIsLost = Happening(isOnline: false) { try $0.routes.setLink("far0", up: false) }

    /// The watchers sleep meanwhile, so the kernel drops what their queues cannot hold; time counts from when they
    /// wake up.
    static let routeDisappearsInOverrun = Happening(isOnline: false) { stage in
        for watcher in stage.watchers { watcher.stop() }
        // A signal takes a moment to stop all threads; that they stood still shows in what they have lost.
        Thread.sleep(forTimeInterval: 0.1)
        for number in 0..<20_000 {
            let network: [UInt8] = [10, UInt8(number / 256), UInt8(number % 256), 0]
            try stage.routes.addRoute(to: network, via: Stage.gateway)
        }
        try stage.routes.deleteRoute(via: Stage.gateway)
        try checkOverrun(of: stage.watchers.count)
        let start = monotonicNow()
        for watcher in stage.watchers { watcher.goOn() }
        return start
    }

    /// Looks at the drop counters of this network's sockets (column nine of /proc/net/netlink).
    private static func checkOverrun(of count: Int) throws {
        let table = try String(contentsOfFile: "/proc/self/net/netlink", encoding: .utf8)
        let overrun = table.split(separator: "\n").dropFirst().filter { line in
            let columns = line.split(separator: " ")
            return columns.count > 8 && columns[8] != "0"
        }
        guard overrun.count >= count else {
            throw Failure(description: "only \(overrun.count) of \(count) watchers lost messages")
        }
    }
}
