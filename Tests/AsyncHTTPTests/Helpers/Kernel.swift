import Glibc

/// What the kernel says about this process.
enum Kernel {
    /// The text of a file in `/proc`; empty if it is gone.
    static func file(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a connection to a port of this machine is open at its near end (proc_net(5): state 01 is ESTABLISHED).
    ///
    /// Quick, because it is asked while the clock runs: the file has a line for every connection that is waiting to be
    /// forgotten, too.
    static func hasConnection(to port: UInt16) -> Bool {
        let hex = String(port, radix: 16, uppercase: true)
        let end = ":" + String(repeating: "0", count: 4 - hex.count) + hex + " 01 "
        return strstr(file("/proc/net/tcp"), end) != nil
    }

    /// The names in a directory of `/proc`.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                }
            )
        }
        return names.filter { !$0.hasPrefix(".") }
    }

    /// The status texts of this process's threads with a name (proc_pid_status(5)).
    static func threads(named name: String) -> [String] {
        names(in: "/proc/self/task")
            .map { file("/proc/self/task/\($0)/status") }
            .filter { $0.hasPrefix("Name:\t\(name)\n") }
    }

    static var descriptorCount: Int { names(in: "/proc/self/fd").count }
}
