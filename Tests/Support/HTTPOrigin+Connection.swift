import Glibc

extension HTTPOrigin {
    /// One connection, served request by request on a thread of its own.
    struct Connection {
        private let peer: Socket
        private let core: Core
        private var unread: [UInt8] = []

        init(_ peer: Socket, of core: Core) {
            self.peer = peer
            self.core = core
        }

        mutating func serve() {
            while let request = nextRequest() {
                core.record { [limit = core.requestLimit] log in
                    log.requestCounts[request.path, default: 0] += 1
                    if log.requests.count < limit { log.requests.append(request) }
                }
                switch answer(request, by: core.behaviour(for: request.path)) {
                case .complete: continue
                case .hangUp: return
                case .abandoned:
                    core.record { $0.abandoned[request.path, default: 0] += 1 }
                    return
                }
            }
        }

        private mutating func nextRequest() -> Request? {
            while true {
                if let (request, length) = Request.parse(unread) {
                    unread.removeFirst(min(length, unread.count))
                    return request
                }
                guard let bytes = peer.read(unless: core.stopped) else { return nil }
                unread += bytes
                guard isText(unread) else {
                    _ = peer.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
                    return nil
                }
            }
        }

        /// Whether it can become a request; a TLS handshake, for one, can't.
        private func isText(_ bytes: [UInt8]) -> Bool {
            bytes.first.map { $0 >= UInt8(ascii: " ") } ?? true
        }
    }
}

extension HTTPOrigin.Connection {
    enum Outcome {
        case complete
        case hangUp
        case abandoned
    }

    private func answer(_ request: HTTPOrigin.Request, by behaviour: HTTPOrigin.Behaviour) -> Outcome {
        switch behaviour {
        case .respond(let status, let headers, let body):
            return send(whole(status, headers, request.method == "HEAD" ? [] : body, length: body.count))
        case .redirect(let target, let status):
            return send(whole(status, [("Location", target)], [], length: 0))
        case .gated(let gate, let inner):
            guard peer.wait(for: gate.signal, unless: core.stopped) else { return .abandoned }
            return answer(request, by: inner)
        case .computed(let decide):
            return answer(request, by: decide(request))
        case .pieces(let pieces):
            return send(pieces)
        case .raw(let bytes):
            return hangUp(after: bytes)
        default:
            return misbehave(behaviour)
        }
    }

    private func misbehave(_ behaviour: HTTPOrigin.Behaviour) -> Outcome {
        let ok = "HTTP/1.1 200 OK\r\n"
        let chunk = "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
        switch behaviour {
        case .stalledBody(let length, let sent): return stall(after: whole(200, [], sent, length: length))
        case .shortBody(let length, let sent): return hangUp(after: whole(200, [], sent, length: length))
        case .brokenChunking: return send(Array("\(chunk)no chunk size\r\n".utf8))
        case .unfinishedChunking: return hangUp(after: Array(chunk.utf8))
        case .endlessBody: return pour([UInt8](repeating: 0, count: 1 << 16), after: "\(ok)\r\n")
        case .headerBomb: return pour(Array("X-Bomb: 0123456789\r\n".utf8), after: ok)
        case .reset: peer.resetOnClose()
        case .hangUp: break
        default: return stall(after: [])
        }
        return .hangUp
    }

    private func send(_ bytes: [UInt8]) -> Outcome {
        peer.write(bytes) ? .complete : .abandoned
    }

    private func send(_ pieces: [[UInt8]]) -> Outcome {
        for piece in pieces {
            guard peer.write(piece) else { return .abandoned }
            // Long enough for the client to read this piece alone; nothing depends on it.
            usleep(500)
        }
        return .complete
    }

    private func hangUp(after bytes: [UInt8]) -> Outcome {
        peer.write(bytes) ? .hangUp : .abandoned
    }

    private func stall(after bytes: [UInt8]) -> Outcome {
        guard peer.write(bytes) else { return .abandoned }
        _ = peer.wait(for: nil, unless: core.stopped)
        return .abandoned
    }

    private func pour(_ bytes: [UInt8], after head: String) -> Outcome {
        guard peer.write(Array(head.utf8)) else { return .abandoned }
        while !core.stopped.isRaised, peer.write(bytes) {
            core.record { $0.poured += bytes.count }
        }
        return .abandoned
    }

    private func whole(
        _ status: Int,
        _ headers: [(String, String)],
        _ body: [UInt8],
        length: Int
    ) -> [UInt8] {
        let framing = ["content-length", "transfer-encoding"]
        let isFramed =
            [204, 304].contains(status) || headers.contains { framing.contains($0.0.lowercased()) }
        let lines = headers + (isFramed ? [] : [("Content-Length", "\(length)")])
        let head = lines.reduce("HTTP/1.1 \(status) \(status)\r\n") { $0 + "\($1.0): \($1.1)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}

extension HTTPOrigin.Request {
    /// Reads one request off the front of some bytes; `nil` when it is not there as a whole.
    static func parse(_ bytes: [UInt8]) -> (request: Self, length: Int)? {
        guard let head = headLength(of: bytes) else { return nil }
        let lines = String(decoding: bytes[..<head], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        let request = Self(method: String(words[0]), target: String(words[1]), headers: headers)
        let length = head + (request.header("Content-Length").flatMap { Int($0) } ?? 0)
        return bytes.count >= length ? (request, length) : nil
    }

    private static func headLength(of bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (end.count...bytes.count).first { bytes[($0 - end.count)..<$0].elementsEqual(end) }
    }
}
