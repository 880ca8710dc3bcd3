import Glibc

/// Picture files that Debian packages bring, as `scripts/setup --test` installs them; the package carries none.
enum Corpus: String, CaseIterable {
    /// Package gdk-pixbuf-tests.
    case gdkPixbuf = "/usr/libexec/installed-tests/gdk-pixbuf"
    /// Package golang-1.19-src.
    case go = "/usr/share/go-1.19/src/image/testdata"
    /// Package libpython3.11-testsuite.
    case python = "/usr/lib/python3.11/test/imghdrdata"

    /// One file of a corpus.
    struct File: Sendable, CustomStringConvertible {
        /// The path below the corpus's folder.
        let name: String
        let bytes: [UInt8]
        var description: String { name }
    }

    /// Something that `scripts/setup --test` would have installed.
    struct Missing: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) is missing; run scripts/setup --test" }
    }

    /// The file with this path below the folder.
    func file(_ name: String) throws -> File {
        File(name: name, bytes: try Self.read("\(rawValue)/\(name)"))
    }

    /// Every file below `folder` whose name ends in one of the extensions, by name; an empty folder is an error.
    func files(_ extensions: Set<String>, in folder: String = "") throws -> [File] {
        let root = folder.isEmpty ? rawValue : "\(rawValue)/\(folder)"
        let paths = try Self.paths(below: root).filter { path in
            guard let dot = path.lastIndex(of: ".") else { return false }
            return extensions.contains(path[path.index(after: dot)...].lowercased())
        }
        guard !paths.isEmpty else { throw Missing(path: "\(root)/*.\(extensions.sorted())") }
        return try paths.sorted().map { try file(String($0.dropFirst(rawValue.count + 1))) }
    }

    /// Every file of all corpora that begins as `isWanted` says, whatever its name.
    static func files(where isWanted: ([UInt8]) -> Bool) throws -> [File] {
        try allCases.flatMap { corpus in
            try paths(below: corpus.rawValue).sorted().compactMap { path in
                let bytes = try read(path)
                return isWanted(bytes) ? File(name: path, bytes: bytes) : nil
            }
        }
    }

    private static func paths(below folder: String) throws -> [String] {
        guard let handle = opendir(folder) else { throw Missing(path: folder) }
        defer { closedir(handle) }
        var found: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            let path = "\(folder)/\(name)"
            if entry.pointee.d_type == UInt8(DT_DIR) {
                found += try paths(below: path)
            } else {
                found.append(path)
            }
        }
        return found
    }

    private static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "re") else { throw Missing(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
