/// The part of a body that has come and has not been read: a state machine without effects.
///
/// It is filled up to a mark, then the writer is held back until the reader has emptied it to a lower one.
struct BodyBuffer {
    /// What the reader gets.
    enum Reading: Equatable {
        case chunk([UInt8], releasesWriter: Bool)
        case end
        case failure(HTTPClient.Error)
        case nothingYet
    }

    /// Bytes at which the writer is held back, and to which the reader must come for it to go on.
    static let highMark = 512 * 1024
    static let lowMark = 128 * 1024

    private var chunks: [[UInt8]] = []
    private var first = 0
    private var size = 0
    private var outcome: Result<Void, HTTPClient.Error>?
    private var isWriterHeld = false

    /// Whether nothing more will come.
    var isFinished: Bool { outcome != nil }

    /// Whether a reader would get something.
    var hasNews: Bool { first < chunks.count || outcome != nil }

    /// Takes a piece; false when the writer must wait and offer it again.
    mutating func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        if size >= Self.highMark {
            isWriterHeld = true
            return false
        }
        chunks.append(Array(piece))
        size += piece.count
        return true
    }

    /// Ends the body; what is here may still be read, unless nobody wants it.
    ///
    /// The first end counts.
    mutating func finish(_ result: Result<Void, HTTPClient.Error>) {
        if outcome != nil { return }
        outcome = result
        switch result {
        case .failure(.cancelled), .failure(.closed): (chunks, first, size) = ([], 0, 0)
        default: break
        }
    }

    mutating func read() -> Reading {
        guard first < chunks.count else {
            switch outcome {
            case nil: return .nothingYet
            case .success: return .end
            case .failure(let error): return .failure(error)
            }
        }
        let chunk = takeFirst()
        let releasesWriter = isWriterHeld && size <= Self.lowMark
        if releasesWriter { isWriterHeld = false }
        return .chunk(chunk, releasesWriter: releasesWriter)
    }

    private mutating func takeFirst() -> [UInt8] {
        let chunk = chunks[first]
        chunks[first] = []
        first += 1
        size -= chunk.count
        if first == chunks.count { (chunks, first) = ([], 0) }
        return chunk
    }
}
