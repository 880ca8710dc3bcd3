import Foundation
import Glibc

/// An nginx of our own on the loopback interface, with some files; gone with its object.
final class WebServer: Sendable {
    /// Such as `nginx/1.22.1`.
    let version: String

    private let port: UInt16
    private let keeper: Keeper

    /// Returns when it answers.
    ///
    /// - Throws: Why there is none.
    init() throws(Failure) {
        do {
            version = try Self.installedVersion()
            port = try FreePort.any()
            keeper = try Keeper(WebFolder(port: port))
            try keeper.waitUntilAnswering(at: port)
        } catch {
            throw error as? Failure ?? Failure(description: "nginx can't be started: \(error)")
        }
    }

    func url(of file: WebFile) -> String { "http://127.0.0.1:\(port)/\(file.name)" }

    /// Through the shell, because nginx lives in a directory that only root has in its PATH.
    private static func installedVersion() throws -> String {
        let command = try Command.run(["sh", "-c", "nginx -v"])
        guard command.status == 0, let version = command.errors.split(separator: " ").last else {
            throw Failure(description: "nginx is not installed (scripts/setup --bench)")
        }
        return String(version)
    }
}

/// The shell that keeps nginx: it ends nginx and removes the folder when our end of its input is closed, however we
/// ended.
private final class Keeper: @unchecked Sendable {
    // Never changed once it was made, but by deinit.
    private let shell: Child
    private let folder: WebFolder

    private static let script = """
        trap '' INT
        nginx -p "$0" -c "$0/nginx.conf" 2>"$0/errors" &
        cat >/dev/null
        kill $!
        wait
        rm -rf "$0"
        """

    init(_ folder: WebFolder) throws {
        self.folder = folder
        shell = try Child(["sh", "-c", Self.script, folder.path])
    }

    deinit {
        shell.closeInput()
        _ = shell.waitForEnd()
    }

    func waitUntilAnswering(at port: UInt16) throws {
        for _ in 0..<500 {
            if FreePort.isAnswering(port) { return }
            usleep(10_000)
        }
        throw Failure(description: "nginx does not answer: \(folder.errors)")
    }
}
