import AsyncPrimitives
import Foundation
import Support

@testable import AsyncReachability

/// A message bus for one test: a real dbus-daemon with a folder of its own.
final class PrivateBus: Sendable {
    /// Why there can be none on this machine; `nil` when there can.
    static let refusal: String? = {
        guard SystemBus.installed != nil else { return "no library here speaks D-Bus: libsystemd0 is one" }
        let version = try? ChildProcess.run("/usr/bin/env", ["dbus-daemon", "--version"])
        return version?.status == 0 ? nil : "dbus-daemon is missing: scripts/setup --test installs it"
    }()

    static var isAvailable: Bool { refusal == nil }

    let folder: String
    private let daemon = Lock<RunningChild?>(nil)

    var address: String { "unix:path=\(folder)/bus" }

    /// Starts the bus; its configuration has the options too.
    init(_ options: String = "") throws {
        folder = NSTemporaryDirectory() + "asynckit-bus-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try configuration(options).write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it again at the same address; returns when it can be connected to.
    func start() throws {
        let daemon = try RunningChild(
            "/usr/bin/env",
            ["dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(folder)/bus.conf", "--print-address"]
        )
        var line = daemon.readLine()
        // It may warn of this and that first.
        while !line.isEmpty, !line.hasPrefix("unix:") { line = daemon.readLine() }
        if line.isEmpty { throw BusFailure(description: "dbus-daemon ended before it said where it listens") }
        self.daemon.withLock { $0 = daemon }
    }

    /// Ends it as a crash would.
    func kill() {
        let daemon = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        daemon?.kill()
    }

    /// Makes it stop to do anything, without closing its connections.
    func freeze() {
        daemon.withLock { $0 }?.signal(SIGSTOP)
    }

    /// Makes it go on after ``freeze()``.
    func thaw() {
        daemon.withLock { $0 }?.signal(SIGCONT)
    }

    private func configuration(_ options: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(folder)</servicedir>
          <policy context="default">
            <allow send_destination="*"/>
            <allow own="*"/>
            <allow receive_sender="*"/>
          </policy>
          \(options)
        </busconfig>
        """
    }
}

/// What went wrong with a bus.
struct BusFailure: Error, CustomStringConvertible {
    let description: String
}
