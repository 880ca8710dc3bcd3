import AsyncPrimitives

extension ImageStore {
    /// What is known about a picture, without failures whose time is over.
    nonisolated func remembered(_ key: PictureKey) -> ImageMemory.Entry? {
        if let picture = memory.withLock({ $0.picture(for: key) }) { return .picture(picture) }
        return rememberedFailure(of: key.source).map { .failure($0) }
    }

    /// The failure of a source, if its time is not over.
    nonisolated func rememberedFailure(of source: String) -> ImageMemory.Failure? {
        guard let failure = memory.withLock({ $0.failure(for: source) }) else { return nil }
        // The clock may be the caller's own, so it is read outside the lock.
        let now = now()
        if now < failure.end { return failure }
        memory.withLock { $0.removeFailure(for: source, endedBy: now) }
        return nil
    }

    func keep(_ picture: LoadedPicture, for key: PictureKey) {
        let now = now()
        let kept = ImageMemory.Picture(
            image: picture.image,
            file: picture.file,
            end: picture.lifetime.map { now + $0 },
            staleEnd: picture.staleLifetime.map { now + $0 }
        )
        let dropped = memory.withLock { $0.keep(kept, for: key) }
        tellEvicted(dropped)
        // Pixels are given back here, after the lock, because that can take a while.
        _ = consume dropped
    }

    /// Remembers a failure if its cause is of that kind; tells whether it did.
    func keep(_ failure: LoadFailure, for source: String, _ fallback: Image?) -> Bool {
        guard let lifetime = configuration.failureLifetimes.lifetime(of: failure) else { return false }
        let failure = ImageMemory.Failure(error: failure.error, end: now() + lifetime, fallback: fallback)
        memory.withLock { $0.keep(failure, for: source) }
        return true
    }

    /// Forgets the picture of a URL, in every size, or that it failed; the next request downloads it afresh.
    ///
    /// A download under way goes on for those who wait for it, but its result is not kept, and a request made after
    /// the clear does not join it. A URL that is not known is left alone. Returns when the file on disk is gone, too.
    /// Takes time in proportion to the pictures in memory.
    ///
    /// - Parameter url: The same text that was given to ``image(for:)-(String)``.
    public func clearCache(for url: String) async {
        await clearCache(for: ImageRequest(url))
    }

    /// Forgets the picture of a request; see ``clearCache(for:)-(String)``.
    ///
    /// - Parameter request: One with the same URL and header fields, or the same key.
    public func clearCache(for request: ImageRequest) async {
        let source = request.source
        current.overtake(source)
        let pictures = memory.withLock { $0.remove(source) }
        _ = consume pictures
        await loader.disk?.remove(source)
    }

    /// Forgets every picture and every failure, as ``clearCache(for:)-(String)`` does for one URL.
    public func clearAllCaches() async {
        current.overtakeAll()
        let empty = ImageMemory(configuration)
        let old = memory.withLock { memory in
            let old = memory
            memory = empty
            return old
        }
        // Pixels are given back here, after the lock, because that can take a while.
        _ = consume old
        await loader.disk?.removeAll()
    }
}
