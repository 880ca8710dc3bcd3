import Glibc

/// A port of 127.0.0.1 that is taken but lets nobody in.
public final class SilentPort: Sendable {
    /// The port's number.
    public let port: UInt16
    private let descriptors: [Int32]

    /// Every connection is refused: bound, but nobody listens.
    public static func refusing() throws -> SilentPort {
        let (descriptor, port) = try bound()
        return SilentPort(port: port, descriptors: [descriptor])
    }

    /// Every connection attempt stays without an answer: the listener's backlog is full.
    public static func ignoring() throws -> SilentPort {
        let (listener, port) = try bound()
        listen(listener, 0)
        let fillers = (0..<4).map { _ in
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK, 0)
            _ = withAddress(port: port) { connect(filler, $0, $1) }
            return filler
        }
        return SilentPort(port: port, descriptors: [listener] + fillers)
    }

    private init(port: UInt16, descriptors: [Int32]) {
        self.port = port
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    /// Its URL.
    public var url: String { "http://127.0.0.1:\(port)/" }
}

extension SilentPort {
    struct Failure: Error {
        let errorNumber: Int32
    }

    private static func bound() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let status = withAddress(port: 0) { bind(descriptor, $0, $1) }
        guard descriptor >= 0, status == 0 else { throw Failure(errorNumber: errno) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &size)
            }
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private static func withAddress(
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
