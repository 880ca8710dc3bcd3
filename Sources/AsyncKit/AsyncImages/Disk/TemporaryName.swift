import Glibc
import Synchronization

/// Names for files that are being written: `.part-<process>-<number>`.
enum TemporaryName {
    private static let prefix = ".part-"
    private static let last = Atomic<Int>(0)

    static func next() -> String {
        "\(prefix)\(getpid())-\(last.add(1, ordering: .relaxed).newValue)"
    }

    /// Whether a file was left behind by a process that is gone.
    ///
    /// A process of another container can't be asked about, so one that seems gone has an hour.
    static func isAbandoned(_ item: DiskFolder.Item, now: Int) -> Bool {
        guard item.name.hasPrefix(prefix) else { return false }
        if now - item.lastUse > 3600 { return true }
        let digits = item.name.dropFirst(prefix.count).prefix { $0 != "-" }
        guard let process = pid_t(digits), process > 0 else { return true }
        return kill(process, 0) != 0 && errno == ESRCH
    }

    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(prefix) }
}
