import AsyncKit
import Foundation
import Glibc

/// A small HTTP server on 127.0.0.1 with three pictures, made when it starts.
final class PictureOrigin: Sendable {
    private let files: [String: (type: String, bytes: [UInt8])]
    private let socket: Int32
    private let port: UInt16
    private let requests = Lock(0)

    init() throws {
        files = [
            "/sea.png": ("image/png", try Self.picture(.blue).encoded(as: .png)),
            "/sunrise.jpg": ("image/jpeg", try Self.picture(.red).encoded(as: .jpeg(quality: 90))),
            "/wood.png": ("image/png", try Self.picture(.green).encoded(as: .png)),
        ]
        (socket, port) = try Self.listen()
        Thread.detachNewThread { self.serve() }
    }

    var paths: [String] { files.keys.sorted() }
    var requestCount: Int { requests.withLock { $0 } }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private enum Tint {
        case red
        case green
        case blue
    }

    private static func picture(_ tint: Tint) throws -> Image {
        try Image(width: 320, height: 200) { x, y in
            let (bright, soft, dark) = (UInt8(255 - y), UInt8(x / 2), UInt8((x + y) / 4))
            return switch tint {
            case .red: Image.Pixel(red: bright, green: soft, blue: dark)
            case .green: Image.Pixel(red: dark, green: bright, blue: soft)
            case .blue: Image.Pixel(red: soft, green: dark, blue: bright)
            }
        }
    }

    private static func listen() throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) != 0 || Glibc.listen(socket, 128) != 0
                    ? -1 : getsockname(socket, address, &size)
            }
        }
        if status != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private func serve() {
        while true {
            let client = accept(socket, nil, nil)
            if client < 0 { break }
            Thread.detachNewThread { self.answer(client) }
        }
        close(socket)
    }

    /// Answers one request; every connection is closed after it.
    private func answer(_ client: Int32) {
        defer { close(client) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        var header: [UInt8] = []
        while header.suffix(4) != [13, 10, 13, 10], header.count < 65_536 {
            let count = read(client, &buffer, buffer.count)
            if count <= 0 { return }
            header += buffer[..<count]
        }
        requests.withLock { $0 += 1 }
        let path = String(decoding: header, as: UTF8.self).split(separator: " ").dropFirst().first ?? ""
        send(response(to: String(path)), to: client)
    }

    private func response(to path: String) -> [UInt8] {
        let file = files[path] ?? ("text/plain", Array("There is no such picture.\n".utf8))
        let status = files[path] == nil ? "404 Not Found" : "200 OK"
        let header = [
            "HTTP/1.1 \(status)", "Content-Type: \(file.type)", "Content-Length: \(file.bytes.count)",
            "Connection: close", "", "",
        ]
        return Array(header.joined(separator: "\r\n").utf8) + file.bytes
    }

    private func send(_ bytes: [UInt8], to client: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
