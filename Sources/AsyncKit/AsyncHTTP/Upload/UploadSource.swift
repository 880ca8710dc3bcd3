/// Where a body that is sent piece by piece comes from.
enum UploadSource: Sendable {
    case file(UploadFile)
    case stream(BodyStream)

    /// Fills a channel until the body ends, fails, or is not wanted any more.
    ///
    /// - Parameters:
    ///   - channel: Where the pieces go, as fast as they are taken.
    ///   - wakeSender: Called when the sender had nothing to send, and has now.
    func feed(_ channel: UploadChannel, wakeSender: @escaping @Sendable () -> Void) async {
        guard await channel.waitForRoom() else { return }
        let result = await everyPiece { piece in
            if channel.append(piece) { wakeSender() }
            guard await channel.waitForRoom() else { throw CancellationError() }
        }
        if channel.finish(result) { wakeSender() }
    }

    private func everyPiece(_ take: BodyStream.Take) async -> Result<Void, HTTPClient.Error> {
        do {
            switch self {
            case .file(let file): try await Self.read(file, take)
            case .stream(let stream): try await stream.forEach(take)
            }
            return .success(())
        } catch {
            return .failure(reason(for: error))
        }
    }

    /// What a stream throws is its own affair, also where it is the body of another answer.
    private func reason(for error: any Error) -> HTTPClient.Error {
        if case .file = self, let error = error as? HTTPClient.Error { return error }
        return .bodyFailed(reason: "\(error)")
    }

    private static func read(_ file: UploadFile, _ take: BodyStream.Take) async throws {
        var place = 0
        while place < file.length {
            let piece = try await file.piece(at: place)
            place += piece.count
            try await take(piece)
        }
    }
}
