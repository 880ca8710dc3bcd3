internal import CLinux

/// The questions put to the kernel, as bytes.
enum NetlinkRequest {
    /// Which route leads to an address (`RTM_GETROUTE`).
    static func route(to address: IPAddress, flags: UInt32, interface: Int32? = nil) -> NetlinkQuestion {
        NetlinkQuestion(type: UInt16(RTM_GETROUTE)) { body in
            body += [address.family, UInt8(address.bytes.count * 8), 0, 0, 0, 0, 0, 0]
            body.append(integer: flags)
            body.appendAttribute(Int(RTA_DST.rawValue), address.bytes)
            guard let interface else { return }
            var index: [UInt8] = []
            index.append(integer: interface)
            body.appendAttribute(Int(RTA_OIF.rawValue), index)
        }
    }

    /// What one link is and does (`RTM_GETLINK`).
    static func link(_ index: Int32) -> NetlinkQuestion {
        NetlinkQuestion(type: UInt16(RTM_GETLINK)) { $0.appendLinkHeader(index) }
    }

    /// All links.
    static var links: NetlinkQuestion {
        NetlinkQuestion(type: UInt16(RTM_GETLINK), isDump: true) { $0.appendLinkHeader(0) }
    }

    /// All addresses of both families (`RTM_GETADDR`).
    static var addresses: NetlinkQuestion {
        NetlinkQuestion(type: UInt16(RTM_GETADDR), isDump: true) { body in
            body += [0, 0, 0, 0]
            body.append(integer: UInt32(0))
        }
    }
}

/// One question, complete but for its sequence number.
struct NetlinkQuestion {
    let type: UInt16
    let isDump: Bool
    private let body: [UInt8]

    init(type: UInt16, isDump: Bool = false, _ write: (inout [UInt8]) -> Void) {
        var body: [UInt8] = []
        write(&body)
        self.type = type
        self.isDump = isDump
        self.body = body
    }

    func bytes(sequence: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: UInt32(NetlinkMessage.headerSize + body.count))
        bytes.append(integer: type)
        bytes.append(integer: UInt16(NLM_F_REQUEST) | (isDump ? UInt16(NLM_F_ROOT | NLM_F_MATCH) : 0))
        bytes.append(integer: sequence)
        bytes.append(integer: UInt32(0))
        return bytes + body
    }
}

extension [UInt8] {
    mutating func appendAttribute(_ type: Int, _ value: [UInt8]) {
        append(integer: UInt16(4 + value.count))
        append(integer: UInt16(type))
        append(contentsOf: value)
        pad()
    }

    /// An `ifinfomsg` for one index, and the wish to be spared the statistics.
    fileprivate mutating func appendLinkHeader(_ index: Int32) {
        self += [0, 0, 0, 0]
        append(integer: index)
        append(integer: UInt64(0))
        var mask: [UInt8] = []
        mask.append(integer: UInt32(RTEXT_FILTER_SKIP_STATS))
        appendAttribute(Int(IFLA_EXT_MASK), mask)
    }
}
