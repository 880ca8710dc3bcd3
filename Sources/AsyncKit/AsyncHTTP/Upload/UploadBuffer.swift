/// The part of a request's body that is there and was not sent for good: a state machine without effects.
///
/// It is filled up to a mark, then its writer is held back. What was sent first is kept for a while, because libcurl
/// may have to send it again over a new connection.
struct UploadBuffer {
    /// What the client's thread gets.
    enum Reading: Equatable {
        case bytes(Int)
        case end
        case failure(HTTPClient.Error)
        /// To be asked again when something has come.
        case nothingYet
    }

    /// Bytes ahead of the sender at which the writer is held back.
    static let aheadMark = 128 * 1024
    /// Bytes behind the sender that are kept.
    static let keptMark = 128 * 1024

    private let length: Int?
    private var pieces: [[UInt8]] = []
    /// The next byte to send: which piece, and where in it.
    private var piece = 0
    private var offset = 0
    private var written = 0
    private var sent = 0
    private var hasDropped = false
    private var outcome: Result<Void, HTTPClient.Error>?
    /// Whether the sender has asked at all: nobody shall be made to begin for a connection that never comes.
    private(set) var isWanted = false
    /// Whether the sender waits to be told that there is more.
    private(set) var isSenderWaiting = false

    /// Nothing is there yet.
    ///
    /// - Parameter length: How many bytes there must be in the end, if that was said.
    init(length: Int?) {
        self.length = length
    }

    /// Whether the writer may go on: somebody wants the body, and not enough is ahead.
    var hasRoom: Bool { isWanted && written - sent < Self.aheadMark }

    /// Whether nothing more is taken.
    var isFinished: Bool { outcome != nil }
}

extension UploadBuffer {
    /// Takes a piece; true when the sender waits for it.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        guard outcome == nil, !bytes.isEmpty else { return false }
        if let length, bytes.count > length - written {
            return finish(.failure(.invalidRequest("its body is longer than the length it was given")))
        }
        pieces.append(bytes)
        written += bytes.count
        return wakeSender()
    }

    /// Ends the body, if nothing did before; true when the sender waits for it.
    mutating func finish(_ result: Result<Void, HTTPClient.Error>) -> Bool {
        guard outcome == nil else { return false }
        outcome = result
        if case .success = result, let length, written < length {
            outcome = .failure(.invalidRequest("its body is shorter than the length it was given"))
        }
        return wakeSender()
    }

    /// Ends the body, and lets go of what is here: nobody wants it any more.
    mutating func discard() {
        _ = finish(.failure(.cancelled))
        (pieces, piece, offset, hasDropped) = ([], 0, 0, true)
    }

    private mutating func wakeSender() -> Bool {
        defer { isSenderWaiting = false }
        return isSenderWaiting
    }
}

extension UploadBuffer {
    /// Fills some room with the next bytes.
    mutating func read(into room: UnsafeMutableRawBufferPointer) -> Reading {
        isWanted = true
        if case .failure(let error) = outcome { return .failure(error) }
        let count = copy(into: room)
        if count > 0 { return .bytes(count) }
        isSenderWaiting = outcome == nil
        return outcome == nil ? .nothingYet : .end
    }

    /// Goes back to the first byte; false when it is not there any more.
    mutating func rewind() -> Bool {
        guard !hasDropped else { return false }
        (piece, offset, sent) = (0, 0, 0)
        return true
    }

    /// The last byte of a known length waits for the end: when it has gone, nobody can say any more that there is too
    /// much.
    private var sendable: Int { outcome == nil && written == length ? max(0, written - 1) : written }

    private mutating func copy(into room: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        let limit = min(room.count, sendable - sent)
        while piece < pieces.count, count < limit {
            let part = pieces[piece][offset...].prefix(limit - count)
            UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyBytes(from: part)
            count += part.count
            offset += part.count
            if offset == pieces[piece].count { (piece, offset) = (piece + 1, 0) }
        }
        sent += count
        dropWhatWasSent()
        return count
    }

    private mutating func dropWhatWasSent() {
        guard sent > Self.keptMark, piece > 0 else { return }
        hasDropped = true
        pieces.removeFirst(piece)
        piece = 0
    }
}
