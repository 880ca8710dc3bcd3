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
                core.record { $0.requestCounts[request.path, default: 0] += 1 }
                switch answer(request) {
                case .complete: continue
                case .hangUp: return
                case .abandoned:
                    core.record { $0.abandoned[request.path, default: 0] += 1 }
                    return
                }
            }
        }

        private mutating func answer(_ request: HTTPOrigin.Request) -> Outcome {
            switch core.behaviour(for: request.path) {
            case .early(let inner):
                log(request)
                let outcome = answer(request, by: inner)
                if outcome == .complete { while peer.read(unless: core.stopped) != nil {} }
                return outcome == .complete ? .hangUp : outcome
            case .readingLater(let gate, let inner):
                guard peer.wait(for: gate.signal, unless: core.stopped) else { return .abandoned }
                return answer(request, afterItsBody: inner)
            case let behaviour:
                return answer(request, afterItsBody: behaviour)
            }
        }

        private mutating func answer(
            _ request: HTTPOrigin.Request,
            afterItsBody behaviour: HTTPOrigin.Behaviour
        ) -> Outcome {
            var body = HTTPOrigin.RequestBody(of: request, unread)
            guard body.readAll(from: peer, unless: core.stopped) else { return .abandoned }
            unread = body.unread
            var request = request
            (request.body, request.bodySize) = (body.bytes, body.size)
            log(request)
            return answer(request, by: behaviour)
        }

        private func log(_ request: HTTPOrigin.Request) {
            core.record { [limit = core.requestLimit] log in
                if log.requests.count < limit { log.requests.append(request) }
            }
        }

        private mutating func nextRequest() -> Request? {
            while true {
                if let (request, length) = Request.parse(unread) {
                    unread.removeFirst(length)
                    return request
                }
                guard let bytes = peer.read(unless: core.stopped) else { return nil }
                unread += bytes
                guard isText(unread) else {
                    _ = peer.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), unless: core.stopped)
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
        case .tunnel(let port):
            return tunnel(to: port)
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
        peer.write(bytes, unless: core.stopped) ? .complete : .abandoned
    }

    private func send(_ pieces: [[UInt8]]) -> Outcome {
        for piece in pieces {
            guard peer.write(piece, unless: core.stopped) else { return .abandoned }
            // Long enough for the client to read this piece alone; nothing depends on it.
            usleep(500)
        }
        return .complete
    }

    private func hangUp(after bytes: [UInt8]) -> Outcome {
        peer.write(bytes, unless: core.stopped) ? .hangUp : .abandoned
    }

    private func stall(after bytes: [UInt8]) -> Outcome {
        guard peer.write(bytes, unless: core.stopped) else { return .abandoned }
        _ = peer.wait(for: nil, unless: core.stopped)
        return .abandoned
    }

    private func pour(_ bytes: [UInt8], after head: String) -> Outcome {
        guard peer.write(Array(head.utf8), unless: core.stopped) else { return .abandoned }
        while !core.stopped.isRaised, peer.write(bytes, unless: core.stopped) {
            core.record { $0.poured += bytes.count }
        }
        return .abandoned
    }

    private func tunnel(to port: UInt16) -> Outcome {
        guard let far = try? Socket.connected(to: port) else { return .hangUp }
        defer { far.close() }
        guard peer.write(Array("HTTP/1.1 200 Go on\r\nX-Proxy: yes\r\n\r\n".utf8), unless: core.stopped)
        else { return .abandoned }
        peer.exchange(with: far, unless: core.stopped)
        return .hangUp
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
    /// Reads the header of a request off the front of some bytes; `nil` when it is not there as a whole.
    static func parse(_ bytes: [UInt8]) -> (request: Self, length: Int)? {
        guard let head = headLength(of: bytes) else { return nil }
        let lines = String(decoding: bytes[..<head], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        return (Self(method: String(words[0]), target: String(words[1]), headers: headers), head)
    }

    private static func headLength(of bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (end.count...bytes.count).first { bytes[($0 - end.count)..<$0].elementsEqual(end) }
    }
}
