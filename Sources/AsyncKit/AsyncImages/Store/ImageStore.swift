public import AsyncHTTP
import AsyncPrimitives

/// Downloads pictures, once each, and keeps them in memory.
///
/// ```swift
/// let logo = try await ImageStore.shared.image(for: "https://example.org/logo.png")
/// let again = ImageStore.shared.cachedImage(for: "https://example.org/logo.png")  // at once, no await
/// ```
///
/// - Equal requests at the same time are one download and one decode. A caller that is cancelled leaves at once
///   and alone; when the last one leaves, the transfer ends.
/// - A picture is accepted only if the status is 200, the `Content-Type` is an image type, and the codec for that
///   type decodes the whole body; see ``Error``.
/// - A failure is remembered for a time that depends on its cause (``FailureLifetimes``), so a dead URL is not
///   asked again and again. A fallback image given with the request stands in for the picture meanwhile.
/// - After a clear or a cancel, nothing that was under way then fills the cache.
///
/// - With ``Configuration/disk`` files are kept between runs and used by the rules of HTTP caching (RFC 9111, RFC
///   5861): fresh ones without asking, stale ones after the server said that they are still good.
/// - ``ImageRequest`` asks for a size, sends header fields, and says what may be remembered.
///
/// A URL is the text that was given, without its fragment: two spellings are two pictures. Decoding runs on the store's
/// own threads. Everything has a limit, see ``Configuration``.
///
/// Not yet: one common limit for bodies, decodes and memory; an expected digest; and formats beside PNG and JPEG.
public actor ImageStore {
    /// The store that most programs need, on `HTTPClient.shared`.
    public static let shared = ImageStore(transport: HTTPClient.shared)

    nonisolated let memory: Lock<ImageMemory>
    nonisolated let now: @Sendable () -> Duration
    nonisolated let loader: ImageLoader
    nonisolated let configuration: Configuration
    nonisolated let eventSource = Events<Event>(capacity: 256)
    nonisolated let flights = SingleFlight<Flight, LoadedPicture>()

    /// The newest flight of each picture; the one that may change what is remembered.
    var current = Flights()

    /// How many callers wait for each flight, overtaken ones included.
    var waiters: [Flight: Int] = [:]

    /// How flights ended, for callers who joined one and have not been told yet.
    var landed: [Flight: Result<LoadedPicture, Error>] = [:]

    var prefetching: Prefetching

    private let pressureTask: Task<Void, Never>?

    /// Creates a store; it starts threads only when there is something to decode.
    ///
    /// - Parameters:
    ///   - transport: Whatever answers requests, most often an `HTTPClient`.
    ///   - configuration: Limits and rules.
    public init(transport: any HTTPTransport, configuration: Configuration = Configuration()) {
        memory = Lock(ImageMemory(configuration))
        now = Self.stopwatch(configuration.clock)
        loader = ImageLoader(transport: transport, configuration: configuration)
        self.configuration = configuration
        prefetching = Prefetching(configuration)
        pressureTask = configuration.memoryPressure.map { [memory, eventSource] source in
            Self.heedPressure(of: source, memory, telling: eventSource)
        }
    }

    deinit {
        pressureTask?.cancel()
    }

    /// What becomes of downloads, told to every subscriber from its subscription on.
    ///
    /// Each access makes a new, independent stream. A subscriber that falls more than 256 events behind loses the
    /// oldest. The stream ends when the store is released.
    public nonisolated var events: AsyncStream<Event> { eventSource.stream }

    /// Downloads a picture, or returns it from memory.
    ///
    /// - Parameter url: An absolute `http` or `https` URL.
    /// - Returns: The picture; or a fallback image, marked as one, if an earlier request left it for this URL.
    /// - Throws: Why there is no picture, for each caller the same; ``Error/cancelled`` at once when the calling
    ///   task is cancelled. A remembered failure is thrown without a request.
    public func image(for url: String) async throws(Error) -> Image {
        try await image(for: url, fallback: nil)
    }

    /// Downloads a picture, or returns it from memory, or returns the fallback image if it can't be had.
    ///
    /// For as long as the failure is remembered, the fallback image is also what ``cachedImage(for:)-(String)`` returns and
    /// what callers get that bring none. The last one given counts for those.
    ///
    /// - Parameters:
    ///   - url: An absolute `http` or `https` URL.
    ///   - fallback: What to return, marked by ``Image/isFallback``, in place of a picture that failed.
    /// - Returns: The picture or the fallback image.
    /// - Throws: ``Error/cancelled`` at once when the calling task is cancelled; anything else only without fallback.
    public func image(for url: String, fallback: Image?) async throws(Error) -> Image {
        var request = ImageRequest(url)
        request.fallback = fallback
        return try await image(for: request)
    }

    /// The picture in memory in its own size, or the fallback image that stands in for it; nil when there is neither.
    ///
    /// Runs on the calling thread, waits for nothing but a short lock, starts nothing, and allocates nothing. Counts
    /// as a use of the picture. May be called from anywhere. A picture that is no longer fresh is returned as well.
    ///
    /// - Parameter url: The same text that was given to ``image(for:)-(String)``.
    /// - Returns: The image, or nil.
    public nonisolated func cachedImage(for url: String) -> Image? {
        cachedImage(for: ImageRequest(url))
    }

    /// The picture in memory as a request wants it; see ``cachedImage(for:)-(String)``.
    ///
    /// - Parameter request: One with the same URL and header fields, or the same key, and the same target.
    /// - Returns: The image, or nil.
    public nonisolated func cachedImage(for request: ImageRequest) -> Image? {
        switch remembered(request.picture) {
        case .picture(let picture): picture.image
        case .failure(let failure): failure.fallback
        case nil: nil
        }
    }

    /// The time since now, by a clock whose instants have a type that nobody here knows.
    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
