import Foundation
import Glibc

/// Changes the network of this process without the detour of starting a program (rtnetlink(7)).
final class RouteSocket {
    private enum Kind {
        static let newLink: UInt16 = 16
        static let newRoute: UInt16 = 24
        static let deleteRoute: UInt16 = 25
    }

    private enum Attribute {
        static let destination: UInt16 = 1
        static let gateway: UInt16 = 5
    }

    private enum Flag {
        /// NLM_F_REQUEST and NLM_F_ACK.
        static let request: UInt16 = 0x1 | 0x4
        /// NLM_F_EXCL and NLM_F_CREATE.
        static let create: UInt16 = 0x200 | 0x400
    }

    private static let interfaceIsUp: UInt32 = 1

    private let descriptor: Int32

    init() throws {
        let netlink: Int32 = 16
        descriptor = socket(netlink, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw Failure(description: "no netlink socket: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a route over a gateway; `nil` is the default route.
    ///
    /// - Returns: When it was sent, by CLOCK_MONOTONIC.
    @discardableResult
    func addRoute(to network: [UInt8]? = nil, via gateway: [UInt8]) throws -> UInt64 {
        try send(Kind.newRoute, Flag.request | Flag.create, Self.route(to: network, via: gateway))
    }

    @discardableResult
    func deleteRoute(to network: [UInt8]? = nil, via gateway: [UInt8]) throws -> UInt64 {
        try send(Kind.deleteRoute, Flag.request, Self.route(to: network, via: gateway))
    }

    @discardableResult
    func setLink(_ name: String, up: Bool) throws -> UInt64 {
        let header: [UInt8] = [0, 0, 0, 0]
        let index = Self.bytes(if_nametoindex(name))
        let flags = Self.bytes(up ? Self.interfaceIsUp : 0)
        return try send(Kind.newLink, Flag.request, header + index + flags + Self.bytes(Self.interfaceIsUp))
    }

    /// struct rtmsg and its attributes: IPv4, a /24 or the default route, main table, static, universe, unicast.
    private static func route(to network: [UInt8]?, via gateway: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [UInt8(AF_INET), network == nil ? 0 : 24, 0, 0, 254, 4, 0, 1, 0, 0, 0, 0]
        let destination = network.map { attribute(Attribute.destination, $0) } ?? []
        return header + destination + attribute(Attribute.gateway, gateway)
    }

    private static func attribute(_ type: UInt16, _ address: [UInt8]) -> [UInt8] {
        bytes(UInt16(4 + address.count)) + bytes(type) + address
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }

    /// Sends a request to the kernel and takes its acknowledgement.
    private func send(_ kind: UInt16, _ flags: UInt16, _ payload: [UInt8]) throws -> UInt64 {
        let header = Self.bytes(UInt32(16 + payload.count)) + Self.bytes(kind) + Self.bytes(flags)
        let message = header + [UInt8](repeating: 0, count: 8) + payload
        let start = monotonicNow()
        guard Glibc.send(descriptor, message, message.count, 0) == message.count else {
            throw Failure(description: "send to the kernel: \(String(cString: strerror(errno)))")
        }
        let error = try acknowledgement()
        guard error == 0 else {
            throw Failure(description: "the kernel refuses a change: \(String(cString: strerror(error)))")
        }
        return start
    }

    /// The error number in struct nlmsgerr, which follows the header.
    private func acknowledgement() throws -> Int32 {
        var answer = [UInt8](repeating: 0, count: 1024)
        guard recv(descriptor, &answer, answer.count, 0) >= 20 else {
            throw Failure(description: "no answer from the kernel: \(String(cString: strerror(errno)))")
        }
        return -answer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: Int32.self) }
    }
}
