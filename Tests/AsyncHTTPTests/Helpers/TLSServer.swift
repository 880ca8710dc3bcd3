import Foundation

/// `openssl s_server` with a certificate of its own for 127.0.0.1.
final class TLSServer {
    static let openssl = "/usr/bin/openssl"
    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: openssl) }

    let port: Int
    let certificate: String
    private let folder: URL
    private let process: Process

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appendingPathComponent("cert.pem").path
        let key = folder.appendingPathComponent("key.pem").path
        let make = Self.command([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "1",
            "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
            certificate,
        ])
        try make.run()
        make.waitUntilExit()
        process = Self.command([
            "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www",
        ])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        port = Self.port(in: output.fileHandleForReading)
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func command(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: openssl)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    /// Reads up to the line "ACCEPT 127.0.0.1:40001".
    private static func port(in output: FileHandle) -> Int {
        var text = ""
        while true {
            let data = output.availableData
            if data.isEmpty { return 0 }
            text += String(decoding: data, as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
            if text.hasSuffix("\n"), let line { return Int(line.split(separator: ":").last ?? "") ?? 0 }
        }
    }
}
