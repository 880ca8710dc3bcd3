/// What the store remembers: pictures that were downloaded, and downloads that failed.
///
/// A plain value; the store keeps it behind a lock, so that it can be read without a hop to the actor. Nothing
/// here looks at a clock: what has an end of life is handed out together with it.
struct ImageMemory: Sendable {
    /// A picture, and until when it may be used without asking the server again.
    struct Picture: Sendable {
        let image: Image
        let file: ImageResponse.File
        let end: Duration?

        /// Until when it may be used stale, while the server is in trouble.
        let staleEnd: Duration?
    }

    /// A download that failed, and until when that is not tried again.
    struct Failure: Sendable {
        let error: ImageStore.Error
        let end: Duration
        var fallback: Image?
    }

    enum Entry: Sendable {
        case picture(Picture)
        case failure(Failure)
    }

    private var pictures: LRUCache<PictureKey, Picture>
    private var failures: LRUCache<String, Failure>

    init(_ configuration: ImageStore.Configuration) {
        pictures = LRUCache(
            maximumCost: configuration.maximumMemory,
            maximumCount: configuration.maximumPictures
        )
        failures = LRUCache(maximumCost: .max, maximumCount: configuration.maximumFailures)
    }

    /// A picture that is kept; counts as a use of it.
    mutating func picture(for key: PictureKey) -> Picture? {
        pictures.value(for: key)
    }

    /// The failure that is kept for a source; counts as a use of it.
    mutating func failure(for source: String) -> Failure? {
        failures.count > 0 ? failures.value(for: source) : nil
    }

    /// Keeps a picture and forgets that its source failed before; returns what had to go for it.
    mutating func keep(_ picture: Picture, for key: PictureKey) -> [Picture] {
        _ = failures.removeValue(for: key.source)
        _ = pictures.removeValue(for: key)
        return pictures.insert(picture, for: key, cost: picture.image.byteCount)
    }

    mutating func keep(_ failure: Failure, for source: String) {
        _ = failures.insert(failure, for: source, cost: 0)
    }

    mutating func setFallback(_ image: Image, for source: String) {
        failures.update(source) { $0.fallback = image }
    }

    /// Forgets a source; returns its pictures, so that they are let go of outside the lock.
    mutating func remove(_ source: String) -> [Picture] {
        _ = failures.removeValue(for: source)
        return pictures.keys.filter { $0.source == source }.compactMap { pictures.removeValue(for: $0) }
    }

    /// Takes out every picture.
    mutating func removePictures() -> [Picture] {
        pictures.removeAll()
    }

    /// Forgets a failure whose time has come, unless a newer one took its place.
    mutating func removeFailure(for source: String, endedBy now: Duration) {
        if let failure = failures.peek(source), failure.end <= now { _ = failures.removeValue(for: source) }
    }
}
