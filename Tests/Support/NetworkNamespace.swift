import CLinux
import Glibc

/// A network of its own, empty but for a loopback link that is down, for tests against the real kernel.
///
/// It needs the right to make one: root, or `unshare -Urnm` around the test run. It is gone with its object,
/// together with all links in it.
public final class NetworkNamespace: Sendable {
    private let descriptor: Int32

    /// Why there can be no namespace on this machine; `nil` when there can.
    public static let refusal: String? = {
        do {
            try NetworkNamespace().ip("link show lo")
            return nil
        } catch {
            return "no network namespaces here (be root, or run under unshare -Urnm): \(error)"
        }
    }()

    /// True when tests can have namespaces.
    public static var isAvailable: Bool { refusal == nil }

    /// Makes an empty network; throws what the system said when it may not.
    public init() throws {
        descriptor = try onNewThread {
            try check(asynckit_unshare_network(), "unshare")
            return try check(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), "open the namespace")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Runs the body on a thread that is in this namespace and waits for it.
    ///
    /// Sockets that it opens, and threads and processes that it starts, belong to the namespace for good.
    @discardableResult
    public func inside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        try onNewThread { [descriptor] in
            try check(asynckit_enter_network(descriptor), "setns")
            return try body()
        }
    }

    /// The same, with a resolv.conf(5) of its own that names one server.
    @discardableResult
    public func inside<Value: Sendable>(
        withNameServer address: String,
        _ body: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let file = try BatchFile(["nameserver \(address)"])
        return try inside {
            try check(asynckit_unshare_mounts(), "unshare the mounts")
            try check(asynckit_bind_file(file.path, "/etc/resolv.conf"), "mount resolv.conf")
            return try body()
        }
    }

    /// Runs `ip` with the words of the command, such as `link set eth0 up`, once for each line.
    public func ip(_ lines: String...) throws {
        for line in lines {
            try ip(line.split(separator: " ").map(String.init))
        }
    }

    /// Runs many `ip` commands in one process.
    public func ip(batch lines: [String]) throws {
        let file = try BatchFile(lines)
        try withExtendedLifetime(file) { try ip(["-batch", file.path]) }
    }

    private func ip(_ words: [String]) throws {
        let child = try inside { try ChildProcess.run("/usr/bin/env", ["ip"] + words) }
        guard child.status == 0 else {
            let command = words.joined(separator: " ")
            throw NamespaceError(description: "ip \(command): status \(child.status), \(child.output)")
        }
    }

    /// Reads a file of proc that differs between namespaces, such as `net/netlink`.
    public func proc(_ path: String) throws -> String {
        try inside { try ChildProcess.run("/usr/bin/env", ["cat", "/proc/self/\(path)"]).output }
    }

    /// Keeps IPv6 off the links made from now on, and with it the messages it sends at every change of a link.
    public func disableIPv6() throws {
        try set("net/ipv6/conf/default/disable_ipv6", to: "1")
    }

    /// Sets a parameter of the kernel that each namespace has its own of (sysctl(8)).
    public func set(_ parameter: String, to value: String) throws {
        try inside {
            let file = "/proc/sys/\(parameter)"
            let descriptor = try check(open(file, O_WRONLY | O_CLOEXEC), "open \(file)")
            defer { close(descriptor) }
            try check(Int32(write(descriptor, value, value.utf8.count)), "write \(file)")
        }
    }

    /// Lays a cable from an interface here to one in another namespace, both new and up.
    public func plug(_ name: String, into other: NetworkNamespace, as otherName: String) throws {
        let place = "/proc/\(getpid())/fd/\(other.descriptor)"
        try ip("link add \(name) type veth peer name \(otherName) netns \(place)", "link set \(name) up")
        try other.ip("link set \(otherName) up")
    }

    /// Makes a tun (or, with Ethernet frames, tap) device that has carrier for as long as the object lives.
    public func makeTunnel(_ name: String, ethernet: Bool = false) throws -> NetworkTunnel {
        try inside { try NetworkTunnel(name, ethernet: ethernet) }
    }
}
