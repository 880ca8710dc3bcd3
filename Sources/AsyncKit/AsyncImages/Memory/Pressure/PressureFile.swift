import AsyncPrimitives
import Glibc

/// The kernel's files that tell of memory pressure.
enum PressureFile {
    /// 150 ms of stall within 2 s; the kernel takes the text with its closing NUL.
    private static let trigger = Array("some 150000 2000000\0".utf8)

    /// The files to try, the most particular first.
    static func candidates() -> [String] {
        ["/sys/fs/cgroup\(group() ?? "")/memory.pressure", "/proc/pressure/memory"]
    }

    /// The process's control group in the unified hierarchy, cgroups(7): the line that begins with `0::`.
    private static func group() -> String? {
        guard let file = Descriptor(open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC)) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(file.number, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::/") }
        return line.map { String($0.dropFirst(3)) }
    }

    /// Opens a file and sets the trigger; nil where there is no such file, or no PSI.
    static func openTrigger(_ path: String) -> Descriptor? {
        guard let file = Descriptor(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)),
            write(file.number, trigger, trigger.count) == trigger.count
        else { return nil }
        return file
    }

    /// Blocks until the trigger fires; false when it never will again, because the control group is gone.
    static func waitForStall(_ file: Descriptor) -> Bool {
        while true {
            var entry = pollfd(fd: file.number, events: Int16(POLLPRI), revents: 0)
            guard poll(&entry, 1, -1) >= 0 || errno == EINTR else { return false }
            if entry.revents & Int16(POLLERR) != 0 { return false }
            if entry.revents & Int16(POLLPRI) != 0 { return true }
        }
    }
}
