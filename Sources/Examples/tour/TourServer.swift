import AsyncKit
import Foundation
import Glibc

/// A small HTTP server on 127.0.0.1 with three pictures, made when it starts.
///
/// It counts what is sent to `/count`, and never answers a request for `/never`.
final class TourServer: Sendable {
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
        guard let header = readHeader(from: client) else { return }
        requests.withLock { $0 += 1 }
        let words = header.split(separator: " ")
        let path = words.count > 1 ? String(words[1]) : ""
        switch path {
        case "/never": _ = readBody(ofSize: .max, from: client)
        case "/count": send(text("\(readBody(ofSize: length(in: header), from: client))"), to: client)
        default: send(file(at: path), to: client)
        }
    }

    private func readHeader(from client: Int32) -> String? {
        var header: [UInt8] = []
        var byte: UInt8 = 0
        // Byte by byte, to leave the body where it is.
        while header.suffix(4) != [13, 10, 13, 10] {
            guard header.count < 65_536, read(client, &byte, 1) == 1 else { return nil }
            header.append(byte)
        }
        return String(decoding: header, as: UTF8.self)
    }

    private func length(in header: String) -> Int {
        let line = header.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        return line.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
    }

    /// Reads until so many bytes have come, or the client leaves, and returns how many came.
    private func readBody(ofSize size: Int, from client: Int32) -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        while total < size {
            let count = read(client, &buffer, min(buffer.count, size - total))
            if count <= 0 { break }
            total += count
        }
        return total
    }

    private func file(at path: String) -> [UInt8] {
        guard let file = files[path] else {
            return text("There is no such picture.\n", status: "404 Not Found")
        }
        return response("200 OK", file.type, file.bytes)
    }

    private func text(_ text: String, status: String = "200 OK") -> [UInt8] {
        response(status, "text/plain", Array(text.utf8))
    }

    private func response(_ status: String, _ type: String, _ body: [UInt8]) -> [UInt8] {
        let header = [
            "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.count)",
            "Connection: close", "", "",
        ]
        return Array(header.joined(separator: "\r\n").utf8) + body
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
