/// The reading end of a body that comes over the network; when it is released, the transfer ends.
final class BodyReader: Sendable {
    private let transfer: Transfer
    private let loop: TransferLoop
    /// Written before anybody reads, and never again.
    private nonisolated(unsafe) var decoder: ContentDecoder?
    /// Kept, because a client that is released ends its transfers.
    private let owner: HTTPClient

    /// Takes over the body of a transfer.
    ///
    /// - Parameters:
    ///   - transfer: Whose body it is.
    ///   - loop: Where the transfer runs.
    ///   - owner: The client whose thread that is.
    init(_ transfer: Transfer, _ loop: TransferLoop, owner: HTTPClient) {
        self.transfer = transfer
        self.loop = loop
        self.owner = owner
    }

    /// Decodes the body from now on; called before it is read.
    func decode(_ codings: [ContentCoding]) {
        decoder = ContentDecoder(codings, limit: transfer.hop.maximumBodySize)
    }

    deinit {
        loop.abandon(transfer)
    }

    /// Returns the next piece, decoded and never empty, or `nil` at the end.
    func next(isolation: isolated (any Actor)?) async throws(HTTPClient.Error) -> [UInt8]? {
        guard let decoder else { return try await nextAsItCame(isolation: isolation) }
        do throws(HTTPClient.Error) {
            while true {
                if let decoded = try decoder.next() { return decoded }
                guard let coded = try await nextAsItCame(isolation: isolation) else {
                    try decoder.finish()
                    return nil
                }
                decoder.feed(coded)
            }
        } catch {
            // Also for who asks again after what cannot be decoded.
            transfer.body.finish(.failure(error))
            loop.cancel(transfer)
            throw error
        }
    }

    private func nextAsItCame(isolation: isolated (any Actor)?) async throws(HTTPClient.Error) -> [UInt8]? {
        switch await transfer.body.read(isolation: isolation) {
        case .chunk(let chunk, let releasesWriter):
            if releasesWriter { loop.resume(transfer) }
            return chunk
        case .end:
            return nil
        case .failure(let error):
            throw error
        case .nothingYet:
            loop.abandon(transfer)
            throw .cancelled
        }
    }
}
