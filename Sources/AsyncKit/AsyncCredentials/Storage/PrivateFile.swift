import CLinux
import Glibc

/// A file that nobody but its owner may touch, named by the real path of its directory.
struct PrivateFile: Sendable {
    let path: String
    private let directory: String

    /// Finds the directory and refuses it when others may change what is in it.
    ///
    /// With `makingDirectories` the missing ones are made, mode 0700.
    init(_ path: String, makingDirectories: Bool) throws(VaultError) {
        guard !path.utf8.contains(0) else { throw .invalidPath }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.last, !name.isEmpty, name != ".", name != ".." else { throw .invalidPath }
        let parent = parts.dropLast().joined(separator: "/")
        let wanted = parts.count == 1 ? "." : parent.isEmpty ? "/" : parent
        if makingDirectories { try Self.makeDirectories(wanted) }
        guard let real = realpath(wanted, nil) else { throw VaultError(errno: errno) }
        defer { free(real) }
        directory = String(cString: real)
        self.path = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
        try checkDirectory()
    }

    /// Whether something has this name.
    ///
    /// What is there must be a file for the owner alone.
    func exists() throws(VaultError) -> Bool {
        try inode() != nil
    }

    /// Device and inode of the file, checked; `nil` when nothing has this name.
    func inode() throws(VaultError) -> Inode? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw VaultError(errno: errno)
        }
        try Self.check(status)
        return Inode(device: status.st_dev, number: status.st_ino)
    }

    struct Inode: Equatable {
        let device: dev_t
        let number: ino_t
    }

    /// Writes a new file, whole or not at all.
    ///
    /// False when the name was taken first.
    func create(with bytes: UnsafeRawBufferPointer) throws(VaultError) -> Bool {
        let suffix = Sodium.random(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let draft = "\(directory)/.\(suffix).new"
        try write(bytes, to: draft)
        guard asynckit_rename_new(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            if code == EEXIST { return false }
            throw VaultError(errno: code)
        }
        try syncDirectory()
        return true
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to draft: String) throws(VaultError) {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw VaultError(errno: errno) }
        defer { close(descriptor) }
        do {
            // A umask can take the owner's own permissions away, too.
            try Self.check(call: fchmod(descriptor, 0o600))
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    descriptor,
                    UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                if count < 0, errno == EINTR { continue }
                try Self.check(call: Int32(clamping: count))
                rest = rest.dropFirst(count)
            }
            try Self.check(call: fsync(descriptor))
        } catch {
            unlink(draft)
            throw error
        }
    }

    private func syncDirectory() throws(VaultError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw VaultError(errno: errno) }
        defer { close(descriptor) }
        try Self.check(call: fsync(descriptor))
    }

    private static func check(call status: Int32) throws(VaultError) {
        if status < 0 { throw VaultError(errno: errno) }
    }

    /// Refuses a file that is not the owner's alone.
    static func check(_ status: stat) throws(VaultError) {
        let kind = status.st_mode & S_IFMT
        if kind == S_IFLNK { throw .refused(.symbolicLink) }
        if kind != S_IFREG { throw .refused(.notAFile) }
        if status.st_uid != geteuid() { throw .refused(.foreignOwner) }
        if status.st_mode & 0o077 != 0 { throw .refused(.looseFile) }
        if status.st_nlink > 1 { throw .refused(.hardLinks) }
    }

    /// Refuses a directory in which somebody else could swap files, or plant a journal for SQLite to replay.
    private func checkDirectory() throws(VaultError) {
        var status = stat()
        guard stat(directory, &status) == 0 else { throw VaultError(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .invalidPath }
        if status.st_uid != geteuid(), status.st_uid != 0 { throw .refused(.foreignOwner) }
        if status.st_mode & 0o022 != 0 { throw .refused(.looseDirectory) }
    }

    private static func makeDirectories(_ path: String) throws(VaultError) {
        if try makeDirectory(path) { return }
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .system(errno: ENOENT)
        }
        try makeDirectories(String(path[..<slash]))
        _ = try makeDirectory(path)
    }

    /// Makes one directory for the owner alone, or leaves the one that is there.
    ///
    /// False when its parent is missing.
    private static func makeDirectory(_ path: String) throws(VaultError) -> Bool {
        if mkdir(path, 0o700) == 0 {
            try check(call: chmod(path, 0o700))
            return true
        }
        if errno == ENOENT { return false }
        if errno != EEXIST { throw VaultError(errno: errno) }
        return true
    }
}

extension CredentialVault.Error {
    init(errno code: Int32) {
        self =
            switch code {
            case ELOOP: .refused(.symbolicLink)
            case ENOSPC, EDQUOT: .diskFull
            case ENOMEM: .outOfMemory
            case EISDIR: .invalidPath
            default: .system(errno: code)
            }
    }
}
