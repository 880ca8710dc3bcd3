import AsyncPrimitives

/// Hands a request's body from the task that makes it to the client's thread.
final class UploadChannel: Sendable {
    private struct Contents {
        var buffer: UploadBuffer
        var writers = WaiterList<UnsafeContinuation<Void, Never>>()
        var feeder: Task<Void, Never>?
    }

    private let contents: Lock<Contents>

    /// Makes a channel for a body of a length, if that is known.
    init(length: Int?) {
        contents = Lock(Contents(buffer: UploadBuffer(length: length)))
    }

    /// Takes the task that fills the channel, which is cancelled when nobody wants the body any more.
    func setFeeder(_ feeder: Task<Void, Never>) {
        let isOver = contents.withLock { contents in
            if !contents.buffer.isFinished { contents.feeder = feeder }
            return contents.buffer.isFinished
        }
        if isOver { feeder.cancel() }
    }

    /// Ends the body for both sides; later calls change nothing.
    func close() {
        let (writers, feeder) = contents.withLock { contents in
            contents.buffer.discard()
            return (contents.writers.removeAll(), contents.feeder.take())
        }
        feeder?.cancel()
        for writer in writers { writer.resume() }
    }
}

/// The writer's side.
extension UploadChannel {
    /// Waits until another piece is wanted; false when none ever will be, or the task is cancelled.
    func waitForRoom() async -> Bool {
        while true {
            let (isOver, hasRoom) = contents.withLock { ($0.buffer.isFinished, $0.buffer.hasRoom) }
            if isOver || Task.isCancelled { return false }
            if hasRoom { return true }
            await park()
        }
    }

    /// Adds a piece; true when the sender waits for it.
    func append(_ piece: [UInt8]) -> Bool {
        contents.withLock { $0.buffer.append(piece) }
    }

    /// Ends the body; true when the sender waits for that.
    func finish(_ result: Result<Void, HTTPClient.Error>) -> Bool {
        contents.withLock { contents in
            contents.feeder = nil
            return contents.buffer.finish(result)
        }
    }

    private func park() async {
        let id = WaiterID()
        await suspendCancellably(onCancel: {
            contents.withLock { $0.writers.remove(id) }?.resume()
        }) { continuation in
            let isParked = contents.withLock { contents in
                guard !contents.buffer.hasRoom, !contents.buffer.isFinished, !Task.isCancelled else {
                    return false
                }
                contents.writers.append(continuation, id: id)
                return true
            }
            if !isParked { continuation.resume() }
        }
    }
}

/// The sender's side, on the client's thread.
extension UploadChannel {
    /// Fills some room with the next bytes.
    func read(into room: UnsafeMutableRawBufferPointer) -> UploadBuffer.Reading {
        let (reading, writers) = contents.withLock { contents in
            let reading = contents.buffer.read(into: room)
            return (reading, contents.buffer.hasRoom ? contents.writers.removeAll() : [])
        }
        for writer in writers { writer.resume() }
        return reading
    }

    /// Goes back to the first byte; false when it is not there any more.
    func rewind() -> Bool {
        contents.withLock { $0.buffer.rewind() }
    }
}
