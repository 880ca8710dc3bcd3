import CLinux
import Foundation
import Support

/// A directory of one test, removed with its object.
final class Folder: Sendable {
    let path: String

    init() {
        guard let path = try? makeTemporaryDirectory(for: "download") else {
            fatalError("No directory can be made in /tmp.")
        }
        self.path = path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// All names in it, sorted, hidden ones too.
    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) }
    }

    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o644) {
        _ = FileManager.default.createFile(atPath: path(name), contents: Data(bytes))
        chmod(path(name), mode)
    }

    func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(path(name), &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
