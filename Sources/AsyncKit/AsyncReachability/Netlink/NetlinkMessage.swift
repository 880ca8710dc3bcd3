internal import CLinux

/// One netlink message (`nlmsghdr` and what follows; netlink(7)).
struct NetlinkMessage {
    let type: UInt16
    let flags: UInt16
    let sequence: UInt32
    let payload: ByteView

    static let headerSize = 16

    /// What an `NLMSG_ERROR` or `NLMSG_DONE` says, as a positive errno; 0 means success.
    var errorCode: Int32? {
        guard let code = payload.integer(as: Int32.self) else { return nil }
        return code > Int32.min ? -code : nil
    }

    /// The attributes behind a fixed header of the given size.
    func attributes(after headerSize: Int) -> NetlinkAttributes {
        NetlinkAttributes(payload.view(from: headerSize) ?? ByteView([]))
    }
}

/// The messages of one datagram; ends before the first that does not fit.
struct NetlinkMessages: Sequence, IteratorProtocol {
    private var rest: ByteView

    init(_ datagram: [UInt8]) {
        rest = ByteView(datagram)
    }

    mutating func next() -> NetlinkMessage? {
        guard let length = rest.integer(at: 0, as: UInt32.self),
            let type = rest.integer(at: 4, as: UInt16.self),
            let flags = rest.integer(at: 6, as: UInt16.self),
            let sequence = rest.integer(at: 8, as: UInt32.self),
            let payload = rest.view(from: NetlinkMessage.headerSize, to: Int(length))
        else { return nil }
        rest = rest.view(from: (Int(length) + 3) & ~3) ?? ByteView([])
        return NetlinkMessage(type: type, flags: flags, sequence: sequence, payload: payload)
    }
}

/// The attributes of a message, or those nested in an attribute; ends before the first that does not fit.
struct NetlinkAttributes: Sequence, IteratorProtocol {
    private var rest: ByteView

    init(_ bytes: ByteView) {
        rest = bytes
    }

    mutating func next() -> (type: Int, value: ByteView)? {
        guard let length = rest.integer(at: 0, as: UInt16.self),
            let type = rest.integer(at: 2, as: UInt16.self),
            let value = rest.view(from: 4, to: Int(length))
        else { return nil }
        rest = rest.view(from: (Int(length) + 3) & ~3) ?? ByteView([])
        // The two upper bits are flags (NLA_F_NESTED, NLA_F_NET_BYTEORDER), not part of the type.
        return (Int(type & 0x3fff), value)
    }
}
