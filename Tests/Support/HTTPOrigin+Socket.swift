import Glibc

/// A call of the system that failed.
public struct SocketFailure: Error, CustomStringConvertible {
    /// The call and the reason.
    public let description: String

    init(_ call: String) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}

/// A flag that threads can wait for with `poll`; once raised, it stays so: a pipe with a byte in it.
final class Signal: Sendable {
    let descriptor: Int32
    private let writer: Int32

    init() throws(SocketFailure) {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { throw SocketFailure("pipe") }
        (descriptor, writer) = (ends[0], ends[1])
        for end in ends {
            keepFromChildren(end)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        Glibc.close(descriptor)
        Glibc.close(writer)
    }

    func raise() {
        _ = Glibc.write(writer, "!", 1)
    }

    var isRaised: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }
}

private func keepFromChildren(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// A TCP socket that never blocks for longer than its stop signal allows.
struct Socket: Sendable {
    /// POLLRDHUP of poll(2), which the Glibc overlay leaves out.
    private static let peerLeft: Int16 = 0x2000

    let descriptor: Int32

    static func listening(on host: String, _ port: UInt16) throws(SocketFailure) -> Socket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if descriptor < 0 { throw SocketFailure("socket") }
        keepFromChildren(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw SocketFailure("inet_pton") }
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0, listen(descriptor, 1024) == 0 else { throw SocketFailure("bind") }
        return Socket(descriptor: descriptor)
    }

    /// A connection to a port of this machine.
    static func connected(to port: UInt16) throws(SocketFailure) -> Socket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if descriptor < 0 { throw SocketFailure("socket") }
        keepFromChildren(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else {
            Glibc.close(descriptor)
            throw SocketFailure("connect")
        }
        return Socket(descriptor: descriptor)
    }

    /// Passes on what comes from either side until one of them leaves.
    func exchange(with other: Socket, unless stopped: Signal) {
        while true {
            var entries = [descriptor, other.descriptor, stopped.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&entries, 3, -1) >= 0 || errno == EINTR, entries[2].revents == 0 else { return }
            for (entry, from, to) in [(entries[0], self, other), (entries[1], other, self)]
            where entry.revents != 0 {
                guard let bytes = from.read(unless: stopped), to.write(bytes, unless: stopped) else { return }
            }
        }
    }

    func localPort() throws(SocketFailure) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        if status != 0 { throw SocketFailure("getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits for a client; `nil` once stopped.
    func accept(unless stopped: Signal) -> Socket? {
        var peer: Int32 = -1
        repeat {
            guard waitReadable(unless: stopped) else { return nil }
            peer = Glibc.accept(descriptor, nil, nil)
        } while peer < 0 && (errno == ECONNABORTED || errno == EINTR)
        guard peer >= 0 else { return nil }
        keepFromChildren(peer)
        var on: Int32 = 1
        setsockopt(peer, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return Socket(descriptor: peer)
    }

    /// Reads what is there, waiting for the first byte; `nil` at the end of the stream or once stopped.
    func read(unless stopped: Signal) -> [UInt8]? {
        guard waitReadable(unless: stopped) else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes all bytes; `false` when the peer is gone, or once stopped.
    func write(_ bytes: [UInt8], unless stopped: Signal) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { rest in
                send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN {
                guard waitFor(POLLOUT, unless: stopped) else { return false }
                continue
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for a signal; `false` if the peer leaves or the origin stops first.
    func wait(for signal: Signal?, unless stopped: Signal) -> Bool {
        var entries = [
            pollfd(fd: stopped.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Socket.peerLeft, revents: 0),
            pollfd(fd: signal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&entries, 3, -1) < 0, errno == EINTR {}
        return entries[0].revents == 0 && entries[1].revents == 0
    }

    /// Makes ``close()`` send a reset (socket(7), SO_LINGER).
    func resetOnClose() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    func close() {
        Glibc.close(descriptor)
    }

    private func waitReadable(unless stopped: Signal) -> Bool {
        waitFor(POLLIN, unless: stopped)
    }

    private func waitFor(_ event: Int32, unless stopped: Signal) -> Bool {
        var entries = [
            pollfd(fd: stopped.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(event), revents: 0),
        ]
        while poll(&entries, 2, -1) < 0, errno == EINTR {}
        return entries[0].revents == 0
    }
}
