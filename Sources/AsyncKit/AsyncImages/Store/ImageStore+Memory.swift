import AsyncPrimitives

extension ImageStore {
    /// What is known about a URL, without failures whose time is over.
    nonisolated func remembered(_ url: String) -> ImageMemory.Entry? {
        let entry = memory.withLock { $0.entry(for: url) }
        guard case .failure(let failure) = entry else { return entry }
        // The clock may be the caller's own, so it is read outside the lock.
        let now = now()
        if now < failure.end { return entry }
        memory.withLock { $0.removeFailure(for: url, endedBy: now) }
        return nil
    }

    /// The answer to a request for a URL that failed a short while ago.
    func answer(
        _ failure: ImageMemory.Failure,
        for url: String,
        _ fallback: Image?
    ) throws(Error) -> Image {
        if let fallback {
            memory.withLock { $0.setFallback(fallback, for: url) }
            return fallback
        }
        guard let fallback = failure.fallback else { throw failure.error }
        return fallback
    }

    func keep(_ image: Image, for url: String) {
        let dropped = memory.withLock { $0.keep(image, for: url) }
        // Pixels are given back here, after the lock, because that can take a while.
        _ = consume dropped
    }

    /// Remembers a failure if its cause is of that kind; tells whether it did.
    func keep(_ error: Error, for url: String, _ fallback: Image?) -> Bool {
        guard let lifetime = configuration.failureLifetimes.lifetime(of: error) else { return false }
        let failure = ImageMemory.Failure(error: error, end: now() + lifetime, fallback: fallback)
        memory.withLock { $0.keep(failure, for: url) }
        return true
    }

    /// Forgets the picture of a URL, or that it failed; the next request downloads it afresh.
    ///
    /// A download under way goes on for those who wait for it, but its result is not kept, and a request made after
    /// the clear does not join it. A URL that is not known is left alone.
    ///
    /// - Parameter url: The same text that was given to ``image(for:)``.
    public func clearCache(for url: String) {
        current[url] = nil
        let picture = memory.withLock { $0.remove(url) }
        _ = consume picture
    }

    /// Forgets every picture and every failure, as ``clearCache(for:)`` does for one URL.
    ///
    /// Use it when memory is short: pixels that nobody else holds are given back before the call returns.
    public func clearAllCaches() {
        current = [:]
        let empty = ImageMemory(configuration)
        let old = memory.withLock { memory in
            let old = memory
            memory = empty
            return old
        }
        _ = consume old
    }
}
