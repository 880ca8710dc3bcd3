import Glibc

/// A real nginx of the test's own: unprivileged, on free ports, with a certificate authority that nobody else knows.
///
/// ```swift
/// let server = try NginxServer()
/// try server.put([1, 2, 3], at: "a.bin")
/// configuration.certificateAuthorityFile = server.authorityFile
/// let url = server.url("/a.bin")
/// ```
///
/// What each path does stands in `NginxServer+Configuration.swift`. It ends, and its folder goes, with its object and
/// with the process that made it, however that dies.
public final class NginxServer: Sendable {
    /// The ways in; each leads to the same paths.
    public enum Entrance: CaseIterable, Sendable {
        /// Plain HTTP/1.1.
        case http
        /// TLS, HTTP/1.1 alone.
        case https
        /// TLS, HTTP/2 for those who ask for it (ALPN).
        case http2
    }

    /// Whether this machine has what it takes.
    public static var isAvailable: Bool { nginx != nil && openssl != nil }

    /// Why there is none.
    public static let requirement = "it takes the commands nginx and openssl (scripts/setup --test)"

    /// One for all tests that change nothing but files of their own.
    public static let shared = Result { try NginxServer() }

    /// The certificate, in PEM form, that signed the server's, which is for 127.0.0.1 and localhost.
    public let authorityFile: String

    private let folder: String
    private let ports: Ports
    /// Kept for its end.
    private let shell: GuardedShell

    /// Starts it and blocks until it serves, about a tenth of a second.
    ///
    /// - Throws: ``Failure`` with what nginx or openssl said.
    public init() throws {
        let attempt = try Self.start(triesLeft: 3)
        (folder, ports, shell) = (attempt.folder, attempt.ports, attempt.shell)
        authorityFile = "\(attempt.folder)/authority.pem"
    }

    /// The URL of a path, which starts with a slash.
    public func url(_ path: String, via entrance: Entrance = .https, host: String = "127.0.0.1") -> String {
        switch entrance {
        case .http: "http://\(host):\(ports.http)\(path)"
        case .https: "https://\(host):\(ports.https)\(path)"
        case .http2: "https://\(host):\(ports.http2)\(path)"
        }
    }

    /// Lets it serve these bytes at `/NAME`; a file that is there is replaced in one step.
    public func put(_ bytes: [UInt8], at name: String) throws {
        // Several tests may share the server.
        let new = "\(folder)/new-\(UInt32.random(in: 0 ... .max))"
        try Self.write(bytes, to: new)
        guard rename(new, "\(folder)/files/\(name)") == 0 else { throw Failure("rename") }
    }
}

extension NginxServer {
    /// It did not start.
    public struct Failure: Error, CustomStringConvertible {
        /// What was said.
        public let description: String

        init(saying text: String) {
            description = text
        }

        init(_ call: String) {
            description = "\(call): \(String(cString: strerror(errno)))"
        }
    }

    struct Ports {
        let http: UInt16
        let https: UInt16
        let http2: UInt16

        /// Nobody has them now; somebody else may be faster to take them.
        static func free() throws -> Ports {
            let sockets = try (0..<3).map { _ in try Socket.listening(on: "127.0.0.1", 0) }
            defer { for socket in sockets { socket.close() } }
            let numbers = try sockets.map { try $0.localPort() }
            return Ports(http: numbers[0], https: numbers[1], http2: numbers[2])
        }
    }
}
