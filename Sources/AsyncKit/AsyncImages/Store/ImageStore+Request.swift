public import AsyncHTTP
import AsyncPrimitives

extension ImageStore {
    /// Downloads a picture as a request wants it, or returns it from memory.
    ///
    /// - Parameter request: Where the picture is and how it is wanted.
    /// - Returns: The picture, or the fallback image; see ``response(for:onProgress:)``.
    /// - Throws: As ``image(for:)-(String)``.
    public func image(for request: ImageRequest) async throws(Error) -> Image {
        try await response(for: request).image
    }

    /// Downloads a picture as a request wants it, or returns it from memory, and tells how it came.
    ///
    /// ```swift
    /// import AsyncHTTP  // for what the progress says
    ///
    /// let request = ImageRequest("https://example.org/photo.jpg")
    /// let response = try await ImageStore.shared.response(for: request) { print($0.received) }
    /// print(response.origin, response.duration)
    /// ```
    ///
    /// - Parameters:
    ///   - request: Where the picture is and how it is wanted.
    ///   - onProgress: Hears, on some thread of the cooperative pool, how far the download is. Values may be left out, and
    ///     the last one may still be on its way when the call returns. Nothing is told when there is no download.
    /// - Returns: The picture, or the fallback image when it can't be had.
    /// - Throws: Why there is no picture, for each caller the same; ``Error/cancelled`` at once when the calling task
    ///   is cancelled. A remembered failure is thrown without a request.
    public func response(
        for request: ImageRequest,
        onProgress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(Error) -> ImageResponse {
        if Task.isCancelled { throw .cancelled }
        let start = now()
        if let answer = try answer(from: request, start) { return answer }
        switch await load(request, onProgress) {
        case .success(let picture): return ImageResponse(picture, duration: now() - start)
        case .failure(.cancelled): throw .cancelled
        case .failure(let error):
            guard let fallback = fallback(for: request, after: error) else { throw error }
            return ImageResponse(fallback: fallback, error, duration: now() - start)
        }
    }

    /// The answer that needs no download, or nil.
    private func answer(from request: ImageRequest, _ start: Duration) throws(Error) -> ImageResponse? {
        guard request.cachePolicy != .reload else { return nil }
        switch remembered(request.picture) {
        case .picture(let picture):
            return try answer(picture, to: request, start)
        case .failure(let failure):
            return try answer(failure, to: request, start)
        case nil:
            return nil
        }
    }

    /// The answer from memory; nil when the picture is stale and the server is to be asked.
    ///
    /// A server that failed a short while ago is not asked again, whether or not the stale picture may stand in.
    private func answer(
        _ picture: ImageMemory.Picture,
        to request: ImageRequest,
        _ start: Duration
    ) throws(Error) -> ImageResponse? {
        let isFresh = picture.end.map { start < $0 } ?? true
        if isFresh || request.cachePolicy == .cacheOnly {
            return ImageResponse(picture, duration: now() - start)
        }
        guard let failure = rememberedFailure(of: request.source) else { return nil }
        if let end = picture.staleEnd, start < end { return ImageResponse(picture, duration: now() - start) }
        return try answer(failure, to: request, start)
    }

    /// The answer to a request for something that failed a short while ago.
    private func answer(
        _ failure: ImageMemory.Failure,
        to request: ImageRequest,
        _ start: Duration
    ) throws(Error) -> ImageResponse {
        let given = request.fallback?.markedAsFallback()
        if let given { memory.withLock { $0.setFallback(given, for: request.source) } }
        guard let fallback = given ?? failure.fallback else { throw failure.error }
        return ImageResponse(fallback: fallback, failure.error, duration: now() - start)
    }

    /// What stands in for a picture whose download has just failed.
    private func fallback(for request: ImageRequest, after error: Error) -> Image? {
        if let given = request.fallback { return given.markedAsFallback() }
        if case .failure(let failure) = remembered(request.picture), failure.error == error,
            let fallback = failure.fallback
        {
            return fallback
        }
        return configuration.fallback(for: error)
    }
}

extension ImageResponse {
    init(_ picture: LoadedPicture, duration: Duration) {
        self.init(
            image: picture.image,
            origin: picture.origin,
            file: picture.file,
            failure: nil,
            duration: duration
        )
    }

    init(_ picture: ImageMemory.Picture, duration: Duration) {
        self.init(image: picture.image, origin: .memory, file: picture.file, failure: nil, duration: duration)
    }

    init(fallback: Image, _ error: ImageStore.Error, duration: Duration) {
        self.init(image: fallback, origin: .fallback, file: nil, failure: error, duration: duration)
    }
}
