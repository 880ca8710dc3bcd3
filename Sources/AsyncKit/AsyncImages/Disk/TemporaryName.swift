import Glibc

/// Names for files that are being written: `.part-` and a random number.
///
/// The number of the process would not do: processes of different containers may have the same one.
enum TemporaryName {
    private static let prefix = ".part-"

    static func next() -> String {
        prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
    }

    /// Whether a file was left behind by a process that is gone: nobody writes one for an hour.
    static func isAbandoned(_ item: DiskFolder.Item, now: Int) -> Bool {
        item.name.hasPrefix(prefix) && now - item.lastUse > 3600
    }
}
