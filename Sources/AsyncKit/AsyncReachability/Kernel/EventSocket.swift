internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// Hears from the kernel that links, addresses, routes or rules changed.
struct EventSocket {
    private let socket: NetlinkSocket

    /// Datagrams taken in one go, so that a storm cannot keep the reader from its other duties.
    private static let batch = 1024

    /// Bytes the kernel may queue; a container start sends dozens of messages, a routing daemon thousands.
    ///
    /// It is a limit, not a reservation; the kernel clamps it to net.core.rmem_max.
    private static let queueSize: Int32 = 1 << 20

    /// Admin down and carrier loss show in the link group only, and the loss of the last IPv4 address takes the
    /// default route along without a word, so all four kinds are needed.
    private static let groups = [
        RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,
        RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE,
    ]

    init() throws(NetlinkFailure) {
        socket = try NetlinkSocket()
        try socket.set(SO_RCVBUF, level: SOL_SOCKET, to: Self.queueSize)
        for group in Self.groups { try join(group) }
        // Kernels before 5.3 have neither this group nor what it tells about: next hops that several routes share.
        try? join(RTNLGRP_NEXTHOP)
    }

    private func join(_ group: rtnetlink_groups) throws(NetlinkFailure) {
        let solNetlink: Int32 = 270
        try socket.set(NETLINK_ADD_MEMBERSHIP, level: solNetlink, to: group.rawValue)
    }

    var descriptor: Descriptor { socket.descriptor }

    /// Empties the queue.
    ///
    /// After an overrun the queue holds the oldest messages and lacks the newest: what they say is worthless,
    /// that something changed is not.
    ///
    /// - Returns: True when the kernel must be asked again.
    func drain() throws(NetlinkFailure) -> Bool {
        var isDirty = false
        for _ in 0..<Self.batch {
            switch socket.receive(waits: false) {
            case .datagram(let bytes):
                isDirty = isDirty || NetlinkMessages(bytes).contains(where: Self.matters)
            case .foreign: continue
            case .overrun: isDirty = true
            case .empty: return isDirty
            case .failed(let failure): throw failure
            }
        }
        return isDirty
    }

    /// False for what cannot change the way out: a port that joined or left a bridge, and wireless events
    /// (scans, signal) that change nothing about the link.
    static func matters(_ message: NetlinkMessage) -> Bool {
        let isLink = [RTM_NEWLINK, RTM_DELLINK].contains { message.type == UInt16($0) }
        guard isLink else { return true }
        if message.payload.integer(at: 0, as: UInt8.self) == UInt8(AF_BRIDGE) { return false }
        guard message.payload.integer(at: 12, as: UInt32.self) == 0 else { return true }
        return !message.attributes(after: 16).contains { $0.type == Int(IFLA_WIRELESS) }
    }
}
