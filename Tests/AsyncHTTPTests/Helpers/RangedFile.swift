import Support

/// A file of a server that hangs up after so many bytes of each answer, and sends the rest to who asks for it.
struct RangedFile: Sendable {
    var body: [UInt8]
    var tag = "\"v1\""
    /// The most bytes that one answer holds before the connection ends.
    var piece: Int
    var headers: [(String, String)] = []
    /// Whether it says how long it is.
    var tellsLength = true

    static func sample(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

    var behaviour: HTTPOrigin.Behaviour {
        .computed { request in answer(request) }
    }

    /// The place that a request asks for the rest from, such as 5 of `bytes=5-`.
    static func start(_ request: HTTPOrigin.Request) -> Int? {
        request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
    }

    func answer(_ request: HTTPOrigin.Request) -> HTTPOrigin.Behaviour {
        guard request.header("If-Range") == tag, let start = Self.start(request) else {
            return send(200, "", from: 0)
        }
        return send(206, "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\n", from: start)
    }

    private func send(_ status: Int, _ line: String, from start: Int) -> HTTPOrigin.Behaviour {
        var head = "HTTP/1.1 \(status) OK\r\nETag: \(tag)\r\nConnection: close\r\n\(line)"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let sent = body[start...].prefix(piece)
        if tellsLength {
            head += "Content-Length: \(body.count - start)\r\n\r\n"
            return .raw(Array(head.utf8) + sent)
        }
        head += "Transfer-Encoding: chunked\r\n\r\n\(String(sent.count, radix: 16))\r\n"
        let isLast = start + sent.count == body.count
        return .raw(Array(head.utf8) + sent + Array("\r\n\(isLast ? "0\r\n\r\n" : "")".utf8))
    }
}
