import AsyncPrimitives

extension ImageStore {
    /// One download of one URL.
    ///
    /// The number keeps a download that was overtaken by a clear or a cancel apart from the one that follows it.
    struct Flight: Hashable, Sendable {
        let url: String
        let generation: Int
    }

    /// The flight that speaks for its URL, and the fallback image its callers left.
    struct Current {
        let generation: Int
        var fallback: Image?
    }

    /// Joins the flight of the URL, or starts one, and waits for it.
    func download(_ url: String, _ fallback: Image?) async throws(Error) -> Image {
        let flight = join(url, fallback)
        defer { leave(flight) }
        switch await landing(of: flight) {
        case .success(let image): return image
        case .failure(.cancelled): throw .cancelled
        case .failure(let error):
            if let fallback { return fallback }
            guard case .failure(let failure) = remembered(url), failure.error == error else { throw error }
            return try answer(failure, for: url, nil)
        }
    }

    private func landing(of flight: Flight) async -> Result<Image, Error> {
        do {
            return .success(try await flights.value(for: flight) { try await self.load(flight) })
        } catch {
            return .failure(Error(error))
        }
    }

    private func join(_ url: String, _ fallback: Image?) -> Flight {
        var newest = current[url] ?? Current(generation: nextGeneration())
        newest.fallback = fallback ?? newest.fallback
        current[url] = newest
        let flight = Flight(url: url, generation: newest.generation)
        waiters[flight, default: 0] += 1
        return flight
    }

    /// A flight that everybody has left without a result was cancelled.
    private func leave(_ flight: Flight) {
        let others = waiters[flight, default: 1] - 1
        waiters[flight] = others > 0 ? others : nil
        guard others == 0 else { return }
        landed[flight] = nil
        if retire(flight) != nil { eventSource.send(.cancelled(url: flight.url)) }
    }

    /// Runs for all who wait for the flight, in a task of its own.
    ///
    /// A caller joins the flight here before it joins the one in `flights`. If the flight has landed in between,
    /// this runs once more and hands out what came of it.
    private func load(_ flight: Flight) async throws(Error) -> Image {
        if let outcome = landed[flight] { return try outcome.get() }
        let outcome = await outcome(of: flight)
        if Task.isCancelled { throw .cancelled }
        finish(flight, with: outcome)
        return try outcome.get()
    }

    private func outcome(of flight: Flight) async -> Result<Image, Error> {
        do throws(Error) {
            return .success(try await loader.image(for: flight.url))
        } catch {
            return .failure(error)
        }
    }

    /// Notes what came of a flight and tells it.
    ///
    /// The flight ends before anybody hears of it, so that whoever asks again on the news starts a new one.
    private func finish(_ flight: Flight, with outcome: Result<Image, Error>) {
        if waiters[flight] != nil { landed[flight] = outcome }
        guard let flown = retire(flight) else { return }
        switch outcome {
        case .success(let image):
            keep(image, for: flight.url)
            eventSource.send(.downloaded(url: flight.url))
        case .failure(.cancelled):
            eventSource.send(.cancelled(url: flight.url))
        case .failure(let error):
            let isKept = keep(error, for: flight.url, flown.fallback)
            let fellBack = isKept && flown.fallback != nil
            eventSource.send(fellBack ? .fellBack(url: flight.url, error) : .failed(url: flight.url, error))
        }
    }

    /// Ends the flight's right to speak for its URL; nil when it was overtaken and has none.
    private func retire(_ flight: Flight) -> Current? {
        guard let newest = current[flight.url], newest.generation == flight.generation else { return nil }
        current[flight.url] = nil
        return newest
    }

    /// Ends the download of a URL; everybody who waits for it gets ``Error/cancelled``.
    ///
    /// What is in memory stays. A URL without a download is left alone, one that waits to be prefetched is dropped.
    ///
    /// - Parameter url: The same text that was given to ``image(for:)``.
    public func cancelDownload(for url: String) {
        prefetching.remove(url)
        cancel(waiters.keys.filter { $0.url == url })
    }

    /// Ends every download, as ``cancelDownload(for:)`` does for one URL.
    public func cancelAllDownloads() {
        prefetching.removeAll()
        cancel(Array(waiters.keys))
    }

    private func cancel(_ cancelled: [Flight]) {
        for flight in cancelled {
            let isNewest = retire(flight) != nil
            landed[flight] = .failure(.cancelled)
            flights.cancel(flight)
            if isNewest { eventSource.send(.cancelled(url: flight.url)) }
        }
    }
}
