import AsyncPrimitives

/// Hands a body from the client's thread to the task that reads it.
final class BodyChannel: Sendable {
    private struct Contents {
        var buffer = BodyBuffer()
        var readers = WaiterList<UnsafeContinuation<Void, Never>>()
        var mark: RequestMark?
    }

    private let contents = Lock(Contents())

    /// Whether nothing more will come.
    var isFinished: Bool { contents.withLock { $0.buffer.isFinished } }

    /// Takes a piece from the client's thread; false when it must wait until the reader has caught up.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, readers) = contents.withLock { contents in
            let isTaken = contents.buffer.append(piece)
            return (isTaken, isTaken ? contents.readers.removeAll() : [])
        }
        for reader in readers { reader.resume() }
        return isTaken
    }

    /// Ends the body; later calls change nothing.
    func finish(_ result: Result<Void, HTTPClient.Error>) {
        let (readers, mark) = contents.withLock { contents in
            contents.buffer.finish(result)
            return (contents.readers.removeAll(), contents.mark.take())
        }
        mark?.end()
        for reader in readers { reader.resume() }
    }

    /// Ends a mark together with the body, or now if that is over.
    func endWithBody(_ mark: RequestMark) {
        let isOver = contents.withLock { contents in
            if !contents.buffer.isFinished { contents.mark = mark }
            return contents.buffer.isFinished
        }
        if isOver { mark.end() }
    }

    /// Waits for the next piece.
    ///
    /// - Parameter isolation: The caller's actor; the wait does not leave it.
    /// - Returns: What there is; `nothingYet` only when the calling task is cancelled.
    func read(isolation: isolated (any Actor)?) async -> BodyBuffer.Reading {
        while true {
            let reading = contents.withLock { $0.buffer.read() }
            if reading != .nothingYet || Task.isCancelled { return reading }
            await waitForMore(isolation: isolation)
        }
    }

    private func waitForMore(isolation: isolated (any Actor)?) async {
        let id = WaiterID()
        await suspendCancellably(
            isolation: isolation,
            onCancel: { contents.withLock { $0.readers.remove(id) }?.resume() }
        ) { continuation in
            let isParked = contents.withLock { contents in
                guard !contents.buffer.hasNews, !Task.isCancelled else { return false }
                contents.readers.append(continuation, id: id)
                return true
            }
            if !isParked { continuation.resume() }
        }
    }
}
