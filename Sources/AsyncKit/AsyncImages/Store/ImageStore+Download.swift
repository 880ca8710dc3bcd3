import AsyncPrimitives

extension ImageStore {
    /// Joins the flight of the picture, or starts one, and waits for it.
    func load(
        _ request: ImageRequest,
        _ onProgress: ProgressBoard.Handler?
    ) async -> Result<LoadedPicture, Error> {
        let (flight, current) = current.join(request)
        waiters[flight, default: 0] += 1
        defer { leave(flight) }
        return await loader.progress.listening(to: current.download, onProgress) {
            await landing(of: flight, current)
        }
    }

    private func landing(of flight: Flight, _ current: Current) async -> Result<LoadedPicture, Error> {
        do {
            return .success(try await flights.value(for: flight) { try await self.fly(flight, current) })
        } catch {
            return .failure(Error(error))
        }
    }

    /// A flight that everybody has left without a result was cancelled.
    private func leave(_ flight: Flight) {
        let others = waiters[flight, default: 1] - 1
        waiters[flight] = others > 0 ? others : nil
        guard others == 0 else { return }
        landed[flight] = nil
        if let flown = current.retire(flight) { eventSource.send(.cancelled(url: flown.request.url)) }
    }

    /// Runs for all who wait for the flight, in a task of its own.
    ///
    /// A caller joins the flight here before it joins the one in `flights`. If the flight has landed in between,
    /// this runs once more and hands out what came of it.
    private func fly(_ flight: Flight, _ current: Current) async throws(Error) -> LoadedPicture {
        if let outcome = landed[flight] { return try outcome.get() }
        let outcome = await outcome(of: current)
        if Task.isCancelled { throw .cancelled }
        if case .success(let picture) = outcome { await save(picture, of: flight) }
        if Task.isCancelled { throw .cancelled }
        finish(flight, with: outcome)
        return try outcome.mapError(\.error).get()
    }

    private func outcome(of current: Current) async -> Result<LoadedPicture, LoadFailure> {
        do throws(LoadFailure) {
            return .success(try await loader.picture(for: current.request, current.download))
        } catch {
            return .failure(error)
        }
    }

    /// Writes what was downloaded to disk, unless it was overtaken by a clear.
    ///
    /// Whether it was is told, and the write is begun, without a break; a clear that comes later removes it again.
    private func save(_ picture: LoadedPicture, of flight: Flight) async {
        guard let unsaved = picture.unsaved, current.isNewest(flight) else { return }
        await loader.disk?.keep(unsaved)
    }

    /// Asks the server about a picture that was handed out stale; equal requests are one.
    private func refresh(_ request: ImageRequest) {
        var request = request
        request.cachePolicy = .reload
        request.fallback = nil
        Task(priority: .utility) { [request] in _ = try? await response(for: request) }
    }

    /// Notes what came of a flight and tells it.
    ///
    /// The flight ends before anybody hears of it, so that whoever asks again on the news starts a new one.
    private func finish(_ flight: Flight, with outcome: Result<LoadedPicture, LoadFailure>) {
        if waiters[flight] != nil { landed[flight] = outcome.mapError(\.error) }
        guard let flown = current.retire(flight) else { return }
        let url = flown.request.url
        switch outcome {
        case .success(let picture):
            if flight.key.policy != .noStore { keep(picture, for: flight.key.picture) }
            eventSource.send(.downloaded(url: url))
            if picture.needsRefresh, flight.key.policy == .standard { refresh(flown.request) }
        case .failure(let failure) where failure.error == .cancelled:
            eventSource.send(.cancelled(url: url))
        case .failure(let failure):
            let error = failure.error
            let fallback = flown.fallback ?? configuration.fallback(for: error)
            let isKept = flight.key.policy != .noStore && keep(failure, for: flight.source, fallback)
            let fellBack = isKept && fallback != nil
            eventSource.send(fellBack ? .fellBack(url: url, error) : .failed(url: url, error))
        }
    }

    /// Ends the download of a URL, in every size; everybody who waits for it gets ``Error/cancelled``.
    ///
    /// What is in memory stays. A URL without a download is left alone, one that waits to be prefetched is dropped.
    ///
    /// - Parameter url: The same text that was given to ``image(for:)-(String)``.
    public func cancelDownload(for url: String) {
        cancelDownload(for: ImageRequest(url))
    }

    /// Ends the download of a request's picture, in every size; see ``cancelDownload(for:)-(String)``.
    ///
    /// - Parameter request: One with the same URL and header fields, or the same key.
    public func cancelDownload(for request: ImageRequest) {
        let source = request.source
        prefetching.remove(source)
        cancel(waiters.keys.filter { $0.source == source })
    }

    /// Ends every download, as ``cancelDownload(for:)-(String)`` does for one URL.
    public func cancelAllDownloads() {
        prefetching.removeAll()
        cancel(Array(waiters.keys))
    }

    private func cancel(_ cancelled: [Flight]) {
        for flight in cancelled {
            let flown = current.retire(flight)
            landed[flight] = .failure(.cancelled)
            flights.cancel(flight)
            if let flown { eventSource.send(.cancelled(url: flown.request.url)) }
        }
    }
}
