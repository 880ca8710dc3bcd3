import CLinux

@testable import AsyncReachability

/// Bytes as the kernel would send them.
enum Built {
    static func message(
        _ type: Int,
        flags: UInt16 = 0,
        sequence: UInt32 = 0,
        length: UInt32? = nil,
        _ payload: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: length ?? UInt32(16 + payload.count))
        bytes.append(integer: UInt16(type))
        bytes.append(integer: flags)
        bytes.append(integer: sequence)
        bytes.append(integer: UInt32(0))
        bytes += payload
        bytes.pad()
        return bytes
    }

    static func attribute(_ type: some BinaryInteger, _ value: [UInt8], length: UInt16? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: length ?? UInt16(4 + value.count))
        bytes.append(integer: UInt16(type))
        bytes += value
        bytes.pad()
        return bytes
    }

    static func attribute(_ type: some BinaryInteger, integer: UInt32) -> [UInt8] {
        attribute(type, word(integer))
    }

    static func word(_ value: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: value)
        return bytes
    }

    static func link(
        family: UInt8 = 0,
        index: UInt32 = 7,
        flags: UInt32 = 0x1_0043,
        change: UInt32 = 0xffff_ffff,
        _ attributes: [UInt8]
    ) -> [UInt8] {
        [family, 0, 1, 0] + word(index) + word(flags) + word(change) + attributes
    }

    static func route(type: UInt8 = 1, flags: UInt32 = 0, _ attributes: [UInt8]) -> [UInt8] {
        [2, 32, 0, 0, 254, 0, 0, type] + word(flags) + attributes
    }

    static func address(flags: UInt8 = 0, index: UInt32 = 7, _ attributes: [UInt8]) -> [UInt8] {
        [2, 24, flags, 0] + word(index) + attributes
    }

    /// The only message in a datagram.
    static func parsed(_ type: Int, _ payload: [UInt8]) -> NetlinkMessage? {
        var messages = NetlinkMessages(message(type, payload))
        return messages.next()
    }
}

extension IPAddress {
    static func v4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> IPAddress? { IPAddress([a, b, c, d]) }

    /// The address 2001:db8::n of the documentation prefix.
    static func v6(_ last: UInt8) -> IPAddress? {
        IPAddress([0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [last])
    }

    /// The address fe80::n.
    static func linkLocal(_ last: UInt8) -> IPAddress? {
        IPAddress([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [last])
    }
}
