internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// The system did not let us ask the kernel, or the kernel answered with an error.
struct NetlinkFailure: Error, Equatable {
    let code: Int32
    /// True when the kernel itself answered with the code, false when a system call did not get that far.
    var isAnswer = false

    /// Reads the errno of the system call that just failed.
    static var last: NetlinkFailure { NetlinkFailure(code: errno) }
}

/// A netlink socket of the network namespace that the calling thread is in (netlink(7)).
final class NetlinkSocket {
    let descriptor: Descriptor
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)

    /// Opens a socket.
    ///
    /// - Parameter family: The part of the kernel it talks to, such as `NETLINK_ROUTE`.
    /// - Throws: Why the system gives none.
    init(_ family: Int32 = NETLINK_ROUTE) throws(NetlinkFailure) {
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
        guard let descriptor = Descriptor(socket(AF_NETLINK, type, family)) else {
            throw NetlinkFailure.last
        }
        self.descriptor = descriptor
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        let status = withSocketAddress(&address) { bind(descriptor.number, $0, $1) }
        guard status == 0 else { throw NetlinkFailure.last }
    }

    /// Sets a socket option.
    func set<Value: BitwiseCopyable>(_ option: Int32, level: Int32, to value: Value) throws(NetlinkFailure) {
        let status = withUnsafeBytes(of: value) {
            setsockopt(descriptor.number, level, option, $0.baseAddress, socklen_t($0.count))
        }
        guard status == 0 else { throw NetlinkFailure.last }
    }

    func send(_ bytes: [UInt8]) throws(NetlinkFailure) {
        var kernel = sockaddr_nl()
        kernel.nl_family = sa_family_t(AF_NETLINK)
        while true {
            let sent = withSocketAddress(&kernel) {
                sendto(descriptor.number, bytes, bytes.count, 0, $0, $1)
            }
            if sent >= 0 { return }
            guard errno == EINTR else { throw NetlinkFailure.last }
        }
    }

    /// What one look into the receive queue brought.
    enum Reception {
        case datagram([UInt8])
        /// Not from the kernel; anybody may send to a netlink socket.
        case foreign
        /// Messages were lost: the queue was full, or one was longer than the buffer.
        case overrun
        case empty
        case failed(NetlinkFailure)
    }

    /// Takes one datagram; waits for it unless told otherwise or for as long as `SO_RCVTIMEO` says.
    func receive(waits: Bool) -> Reception {
        var sender = sockaddr_nl()
        let flags = Int32(MSG_TRUNC) | (waits ? 0 : Int32(MSG_DONTWAIT))
        let length = buffer.withUnsafeMutableBytes { space in
            withSocketAddress(&sender) { address, size in
                var size = size
                return recvfrom(descriptor.number, space.baseAddress, space.count, flags, address, &size)
            }
        }
        guard length >= 0 else { return Self.reception(errno: errno) }
        guard sender.nl_pid == 0 else { return .foreign }
        // With MSG_TRUNC the length is that of the message, also when it did not fit.
        return length <= buffer.count ? .datagram(Array(buffer.prefix(length))) : .overrun
    }

    /// Which errors of recvfrom(2) are ordinary for a netlink socket.
    static func reception(errno code: Int32) -> Reception {
        switch code {
        case EAGAIN: .empty
        case EINTR: .foreign
        case ENOBUFS: .overrun
        default: .failed(NetlinkFailure(code: code))
        }
    }

    private func withSocketAddress<Result>(
        _ address: inout sockaddr_nl,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
    }
}
