/// What the store remembers: pictures that were downloaded, and downloads that failed.
///
/// A plain value; the store keeps it behind a lock, so that it can be read without a hop to the actor. Nothing
/// here looks at a clock: what has an end of life is handed out together with it.
struct ImageMemory: Sendable {
    /// A download that failed, and until when that is not tried again.
    struct Failure: Sendable {
        let error: ImageStore.Error
        let end: Duration
        var fallback: Image?
    }

    enum Entry: Sendable {
        case picture(Image)
        case failure(Failure)
    }

    private var pictures: LRUCache<String, Image>
    private var failures: LRUCache<String, Failure>

    init(_ configuration: ImageStore.Configuration) {
        pictures = LRUCache(
            maximumCost: configuration.maximumMemory,
            maximumCount: configuration.maximumPictures
        )
        failures = LRUCache(maximumCost: .max, maximumCount: configuration.maximumFailures)
    }

    /// What is known about a URL; counts as a use of it.
    mutating func entry(for url: String) -> Entry? {
        if let image = pictures.value(for: url) { return .picture(image) }
        return failures.count > 0 ? failures.value(for: url).map(Entry.failure) : nil
    }

    /// Keeps a picture and forgets that it failed before; returns what had to go.
    mutating func keep(_ image: Image, for url: String) -> [Image] {
        _ = failures.removeValue(for: url)
        return pictures.insert(image, for: url, cost: image.byteCount)
    }

    mutating func keep(_ failure: Failure, for url: String) {
        _ = failures.insert(failure, for: url, cost: 0)
    }

    mutating func setFallback(_ image: Image, for url: String) {
        failures.update(url) { $0.fallback = image }
    }

    /// Forgets a URL; returns its picture, so that it is let go of outside the lock.
    mutating func remove(_ url: String) -> Image? {
        _ = failures.removeValue(for: url)
        return pictures.removeValue(for: url)
    }

    /// Forgets a failure whose time has come, unless a newer one took its place.
    mutating func removeFailure(for url: String, endedBy now: Duration) {
        if let failure = failures.peek(url), failure.end <= now { _ = failures.removeValue(for: url) }
    }
}
