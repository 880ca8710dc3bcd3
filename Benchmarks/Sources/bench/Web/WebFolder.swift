import Foundation

/// A file that the web server has.
struct WebFile {
    let name: String
    let size: Int

    static let small = WebFile(name: "small", size: 8 * 1024)
    static let medium = WebFile(name: "medium", size: 1024 * 1024)
    static let large = WebFile(name: "large", size: 200_000_000)
    static let all = [small, medium, large]
}

/// A temporary folder with all that nginx needs.
struct WebFolder {
    let path: String

    init(port: UInt16) throws {
        path = NSTemporaryDirectory() + "/asynckit-bench-\(UUID().uuidString)"
        // nginx gives up root's rights before it reads files.
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
        try FileManager.default.createDirectory(
            atPath: path + "/files",
            withIntermediateDirectories: true,
            attributes: attributes
        )
        for file in WebFile.all { try write(file) }
        try Self.configuration(port: port).write(
            toFile: path + "/nginx.conf",
            atomically: true,
            encoding: .utf8
        )
    }

    /// What nginx said when it started.
    var errors: String {
        (try? String(contentsOfFile: path + "/errors", encoding: .utf8)) ?? "it said nothing"
    }

    /// A hole takes no place, and is sent like anything else.
    private func write(_ file: WebFile) throws {
        let target = "\(path)/files/\(file.name)"
        guard FileManager.default.createFile(atPath: target, contents: nil),
            truncate(target, file.size) == 0
        else { throw Failure(description: "\(target) can't be written") }
    }

    /// Nothing that costs time without being measured: no log, no compression, files kept open.
    private static func configuration(port: UInt16) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        return """
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            error_log errors crit;
            events { worker_connections 1024; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000000;
                keepalive_timeout 3600s;
                open_file_cache max=16 inactive=3600s;
                default_type application/octet-stream;
                \(scratch.map { "\($0)_temp_path scratch_\($0);" }.joined(separator: "\n    "))
                server { listen 127.0.0.1:\(port); root files; }
            }
            """
    }
}
