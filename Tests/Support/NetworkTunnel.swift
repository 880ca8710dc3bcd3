import Glibc

/// The far end of a tun or tap device: while it is open, the device has carrier.
public final class NetworkTunnel: Sendable {
    private let descriptor: Int32

    /// Why there can be no tunnel on this machine; `nil` when there can.
    public static let refusal: String? = {
        let descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC)
        if descriptor < 0 { return "/dev/net/tun can't be opened: \(String(cString: strerror(errno)))" }
        close(descriptor)
        return NetworkNamespace.refusal
    }()

    /// True when tests can have tunnels.
    public static var isAvailable: Bool { refusal == nil }

    init(_ name: String, ethernet: Bool) throws {
        descriptor = try check(open("/dev/net/tun", O_RDWR | O_CLOEXEC), "open /dev/net/tun")
        // struct ifreq: sixteen bytes of name, then the flags IFF_TUN or IFF_TAP, and IFF_NO_PI.
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<name.utf8.count, with: Array(name.utf8))
        let flags: UInt16 = (ethernet ? 0x2 : 0x1) | 0x1000
        withUnsafeBytes(of: flags) { request.replaceSubrange(16..<18, with: Array($0)) }
        let setInterface: UInt = 0x4004_54ca
        do {
            try check(ioctl(descriptor, setInterface, &request), "TUNSETIFF \(name)")
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }
}
