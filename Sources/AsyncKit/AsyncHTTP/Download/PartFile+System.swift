import Glibc

extension PartFile {
    /// The rest goes by the directory's descriptor, so that nobody can move another directory in between.
    init(openedFor path: String) throws(FileFailure) {
        guard !path.utf8.contains(0) else { throw FileFailure(errno: EINVAL) }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = String(slash.map { path[$0...].dropFirst() } ?? path[...])
        guard !["", ".", ".."].contains(name) else { throw FileFailure(errno: EISDIR) }
        let parent = slash.map { String(path[...$0]) } ?? "."
        let directory = try check(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        do throws(FileFailure) {
            try self.init(named: name, in: directory, path: path)
        } catch {
            close(directory)
            throw error
        }
    }

    private init(named name: String, in directory: Int32, path: String) throws(FileFailure) {
        let mode = try Self.finalMode(of: name, in: directory)
        // A name has at most 255 bytes. One that is made up each time keeps two downloads apart.
        let start = String(decoding: name.utf8.prefix(200), as: UTF8.self)
        let draft = ".\(start).\(String(UInt32.random(in: 0 ... .max), radix: 36)).part"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try check(openat(directory, draft, flags, 0o600))
        self.init(
            directory: directory,
            descriptor: descriptor,
            draft: draft,
            name: name,
            mode: mode,
            path: path
        )
    }

    func writeAll(_ bytes: [UInt8], at place: Int) throws(FileFailure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, place + done)
            }
            if count < 0, errno == EINTR { continue }
            done += Int(try check(Int32(clamping: count)))
        }
    }

    func truncate(to size: Int) throws(FileFailure) {
        try check(ftruncate(descriptor, size))
    }

    func flush() throws(FileFailure) {
        // Not every file system has modes; where it has none, nothing is lost.
        fchmod(descriptor, mode)
        try check(fsync(descriptor))
    }

    func rename() throws(FileFailure) {
        try check(renameat(directory, draft, directory, name))
        // EINVAL: this file system has no way to do it, fsync(2).
        if fsync(directory) != 0, errno != EINVAL { throw FileFailure(errno: errno) }
        letGo()
    }

    func remove() {
        unlinkat(directory, draft, 0)
        letGo()
    }

    private func letGo() {
        close(descriptor)
        close(directory)
    }
}

extension PartFile {
    /// That of the file to be replaced, or what the umask leaves; refuses what is no file, which a rename would replace.
    private static func finalMode(of name: String, in directory: Int32) throws(FileFailure) -> mode_t {
        var status = stat()
        if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
            guard errno == ENOENT else { throw FileFailure(errno: errno) }
            return 0o666 & ~umask
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return status.st_mode & 0o777
        case S_IFLNK: return 0o666 & ~umask
        case S_IFDIR: throw FileFailure(errno: EISDIR)
        default: throw FileFailure("it is neither a file nor a link")
        }
    }

    /// umask(2) can't be asked without being set, for all threads; proc_pid_status(5) can.
    private static var umask: mode_t {
        let file = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0o077 }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = max(0, read(file, &buffer, buffer.count))
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        let value = lines.first { $0.hasPrefix("Umask:\t") }?.dropFirst("Umask:\t".count)
        return value.flatMap { mode_t($0, radix: 8) } ?? 0o077
    }
}
