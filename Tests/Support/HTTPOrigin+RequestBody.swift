extension HTTPOrigin {
    /// Reads the body of one request, by its length or in chunks (RFC 9112 §6, §7.1).
    struct RequestBody {
        private static let keptSize = 64 << 20

        private(set) var bytes: [UInt8] = []
        private(set) var size = 0
        /// What came and was not read; afterwards, what belongs to the next request.
        private(set) var unread: [UInt8]
        private let length: Int?

        init(of request: Request, _ unread: [UInt8]) {
            let isChunked = request.header("Transfer-Encoding")?.lowercased() == "chunked"
            length = isChunked ? nil : request.header("Content-Length").flatMap { Int($0) } ?? 0
            self.unread = unread
        }

        /// False when the peer leaves before the end, or breaks the rules.
        mutating func readAll(from peer: Socket, unless stopped: Signal) -> Bool {
            if let length { return take(length, from: peer, unless: stopped) }
            while let line = readLine(from: peer, unless: stopped) {
                guard let count = Int(line.prefix { $0 != ";" }, radix: 16) else { return false }
                if count == 0 { return readLine(from: peer, unless: stopped)?.isEmpty ?? false }
                guard take(count, from: peer, unless: stopped),
                    readLine(from: peer, unless: stopped)?.isEmpty ?? false
                else { return false }
            }
            return false
        }

        private mutating func take(_ count: Int, from peer: Socket, unless stopped: Signal) -> Bool {
            var left = count
            while true {
                let part = unread.prefix(left)
                if size < Self.keptSize { bytes += part }
                size += part.count
                left -= part.count
                unread.removeFirst(part.count)
                if left == 0 { return true }
                guard let more = peer.read(unless: stopped) else { return false }
                unread += more
            }
        }

        private mutating func readLine(from peer: Socket, unless stopped: Signal) -> String? {
            while true {
                if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = unread[..<end].filter { $0 != UInt8(ascii: "\r") }
                    unread.removeFirst(end + 1)
                    return String(decoding: line, as: UTF8.self)
                }
                guard unread.count < 100, let more = peer.read(unless: stopped) else { return nil }
                unread += more
            }
        }
    }
}
