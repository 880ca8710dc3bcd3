import AsyncPrimitives
import Glibc

/// Picture files in a folder, the least recently used gone first; every call blocks on the disk.
///
/// The folder is the truth, and the index only says what to delete next: a file that another process wrote is found
/// all the same, and one that it deleted is a miss. So there is no lock between processes and no index file that could
/// be torn. Each process counts what it knows of, and looks at the folder again after it has written an eighth of
/// the limit, so several writers can be above the limit by that much each.
final class DiskCache: Sendable {
    private struct Index {
        var files: LRUCache<String, String>
        var folder: DiskFolder?
        var written = 0
    }

    private let path: String
    private let maximumSize: Int
    private let index: Lock<Index?>

    /// How many entries could not be written.
    private let failures = Lock(0)

    /// Touches no disk until the first call.
    init(path: String, maximumSize: Int) {
        self.path = path
        self.maximumSize = max(0, maximumSize)
        index = Lock(nil)
    }

    var failureCount: Int { failures.withLock { $0 } }

    /// What the index knows: how many files, and their bytes together.
    var usage: (count: Int, bytes: Int) {
        withIndex { ($0.files.count, $0.files.cost) }
    }

    /// The entry under a key; what is there and can't be one is deleted.
    func entry(for key: String) -> DiskEntry? {
        let name = Self.name(of: key)
        guard let folder = withIndex({ $0.folder }) else { return nil }
        switch folder.read(name, upTo: maximumSize) {
        case .bytes(let bytes):
            guard let entry = DiskEntry(decoding: bytes), entry.name == name else { break }
            note(name, size: bytes.count)
            return entry
        case .missing:
            _ = withIndex { $0.files.removeValue(for: name) }
            return nil
        case .foreign:
            break
        }
        discard(name, in: folder)
        return nil
    }

    /// Keeps an entry in place of an older one; false when the disk does not take it.
    @discardableResult
    func keep(_ entry: DiskEntry) -> Bool {
        let bytes = entry.encoded
        guard bytes.count <= maximumSize else { return false }
        guard let folder = withIndex({ $0.folder }), folder.write(entry.name, bytes) else {
            failures.withLock { $0 += 1 }
            // Should the folder itself be gone, the next call makes it anew.
            index.withLock { $0 = nil }
            return false
        }
        let isDue = withIndex { index in
            index.written += bytes.count
            return index.written > maximumSize / 8
        }
        note(entry.name, size: bytes.count)
        if isDue { rescan() }
        return true
    }

    func remove(_ key: String) {
        guard let folder = withIndex({ $0.folder }) else { return }
        discard(Self.name(of: key), in: folder)
    }

    func removeAll() {
        guard let folder = withIndex({ $0.folder }) else { return }
        for item in folder.items() where Self.isName(item.name) { folder.remove(item.name) }
        rescan()
    }

    /// The name of the file for a key: as long for every key, and of characters that every file system takes.
    static func name(of key: String) -> String {
        SHA256.hexadecimal(of: Array(key.utf8))
    }

    private func discard(_ name: String, in folder: DiskFolder) {
        folder.remove(name)
        _ = withIndex { $0.files.removeValue(for: name) }
    }

    /// Counts a file as used, and deletes those that must go for it.
    private func note(_ name: String, size: Int) {
        let (folder, dropped) = withIndex { index in
            (index.folder, index.files.insert(name, for: name, cost: size).filter { $0 != name })
        }
        for name in dropped { folder?.remove(name) }
    }

    private func withIndex<Result>(_ body: (inout Index) -> Result) -> Result {
        index.withLock { index in
            var current = index ?? Self.scan(path, maximumSize)
            // A folder that could not be opened may be there the next time.
            defer { index = current.folder == nil ? nil : current }
            return body(&current)
        }
    }

    /// Lets the next call look at the folder.
    private func rescan() {
        index.withLock { $0 = nil }
    }

    /// Looks at the folder: deletes what was left behind half written, and what is too much.
    ///
    /// What bears no name of ours stays: the folder may have been chosen by mistake.
    private static func scan(_ path: String, _ maximumSize: Int) -> Index {
        var index = Index(files: LRUCache(maximumCost: maximumSize, maximumCount: .max))
        guard let folder = DiskFolder(path: path) else { return index }
        index.folder = folder
        let now = time(nil)
        for item in folder.items().sorted(by: { $0.lastUse < $1.lastUse }) {
            if isName(item.name) {
                let dropped = index.files.insert(item.name, for: item.name, cost: item.size)
                for name in dropped { folder.remove(name) }
            } else if TemporaryName.isAbandoned(item, now: now) {
                folder.remove(item.name)
            }
        }
        return index
    }

    private static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
