import AsyncPrimitives
import Glibc

/// A folder of files that appear whole or not at all; the system calls of the cache on disk.
///
/// Every name is opened relative to the folder and without following links. Nothing is synced to the medium: a cache
/// may lose its newest files with the power, and what is torn is noticed by its checksum.
struct DiskFolder: Sendable {
    /// A file as the folder shows it.
    struct Item: Sendable {
        let name: String
        let size: Int
        let lastUse: Int
    }

    private let folder: Descriptor
    private let user = geteuid()

    /// Opens the folder, making it and those above it when they are missing; nil when that can't be done.
    init?(path: String) {
        Self.make(path)
        guard let folder = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return nil }
        self.folder = folder
    }

    private static func make(_ path: String) {
        for slash in path.indices.dropFirst() where path[slash] == "/" {
            mkdir(String(path[..<slash]), 0o700)
        }
        mkdir(path, 0o700)
    }

    /// What became of reading a file.
    enum Reading {
        case bytes([UInt8])

        /// There is none, or it can't be read now.
        case missing

        /// It is a link, no file, somebody else's, or too large.
        case foreign
    }

    /// Reads a file of our own, up to a limit.
    func read(_ name: String, upTo limit: Int) -> Reading {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        guard let file = Descriptor(openat(folder.number, name, flags)) else {
            return errno == ELOOP ? .foreign : .missing
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return .missing }
        guard isOurs(status), status.st_size <= limit else { return .foreign }
        touch(file, status)
        return Self.bytes(of: file, count: Int(status.st_size)).map { .bytes($0) } ?? .missing
    }

    private func isOurs(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_uid == user
    }

    /// Notes the use, at most once a minute, so that a folder that is only read is hardly written.
    private func touch(_ file: Descriptor, _ status: stat) {
        guard time(nil) - status.st_atim.tv_sec >= 60 else { return }
        let times = [timespec(tv_sec: time(nil), tv_nsec: 0), status.st_mtim]
        futimens(file.number, times)
    }

    private static func bytes(of file: Descriptor, count: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let step = Glibc.read(
                    file.number,
                    buffer.baseAddress?.advanced(by: initialized),
                    count - initialized
                )
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { return }
                initialized += step
            }
            isWhole = true
        }
        return isWhole ? bytes : nil
    }

    /// Writes a file under a name of its own and moves it into place; false when the disk does not take it.
    func write(_ name: String, _ bytes: [UInt8]) -> Bool {
        let part = TemporaryName.next()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        guard let file = Descriptor(openat(folder.number, part, flags, 0o600)) else { return false }
        if Self.write(bytes, to: file), renameat(folder.number, part, folder.number, name) == 0 {
            return true
        }
        unlinkat(folder.number, part, 0)
        return false
    }

    private static func write(_ bytes: [UInt8], to file: Descriptor) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let step = Glibc.write(
                    file.number,
                    buffer.baseAddress?.advanced(by: offset),
                    buffer.count - offset
                )
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { return false }
                offset += step
            }
            return true
        }
    }

    func remove(_ name: String) {
        unlinkat(folder.number, name, 0)
    }

    /// Every file in the folder, in no order; what is no file is left out.
    func items() -> [Item] {
        // A directory stream takes over its descriptor, so it gets one of its own.
        let descriptor = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, let stream = fdopendir(descriptor) else { return [] }
        defer { closedir(stream) }
        var items: [Item] = []
        while let entry = readdir(stream) {
            if let item = item(named: Self.name(of: entry)) { items.append(item) }
        }
        return items
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }

    private func item(named name: String) -> Item? {
        var status = stat()
        guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT != S_IFDIR
        else { return nil }
        let lastUse = max(status.st_atim.tv_sec, status.st_mtim.tv_sec)
        return Item(name: name, size: Int(status.st_size), lastUse: lastUse)
    }
}
