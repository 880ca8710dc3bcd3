import AsyncHTTP
import Glibc

extension ImageStore {
    /// The limits and rules of a store; each has a default that suits most programs.
    ///
    /// A limit below its smallest useful value counts as that value: 1 for downloads and threads, 0 for the others.
    public struct Configuration: Sendable {
        /// The memory that kept pictures may take together, in bytes of pixels; 128 MiB.
        ///
        /// The least recently used ones go first. A picture above this all by itself is returned and not kept.
        public var maximumMemory = 128 * 1024 * 1024

        /// How many pictures are kept at most; 10,000.
        public var maximumPictures = 10_000

        /// How many failed downloads are remembered at most, with their fallback images; 1,000.
        ///
        /// The memory of a fallback image is the caller's affair: one that is given with every request is held once.
        public var maximumFailures = 1000

        /// For how long each kind of failure is remembered.
        public var failureLifetimes = FailureLifetimes()

        /// How many downloads run at once, each from the request to the decoded picture; 6.
        ///
        /// The others wait in order. So the store holds at most this many bodies, each up to ``maximumBodySize``, two for
        /// each decoding thread that were read from disk, and one more for each decoding thread that works on a
        /// download which was cancelled.
        public var maximumDownloads = 6

        /// How many of the downloads ``ImageStore/prefetch(_:)-(Sequence<String>)`` may use; 2.
        public var maximumPrefetches = 2

        /// How many requests of one ``ImageBatch`` are under way or have answers that wait to be taken; 32.
        public var maximumBatch = 32

        /// How many URLs wait to be prefetched at most; 10,000.
        ///
        /// Further ones are ignored: a prefetch is a hint.
        public var maximumPrefetchQueue = 10_000

        /// How many threads decode; 2.
        ///
        /// They are the store's own, never those of the cooperative pool, and end when they are idle.
        public var decodingThreads = 2

        /// The largest file to accept, in bytes; 32 MiB.
        public var maximumBodySize = 32 * 1024 * 1024

        /// How long a request may take, from its start to the last byte; 60 seconds.
        ///
        /// A download that waits this long for its turn, because ``maximumDownloads`` others go first, is given up
        /// with the same error.
        public var timeout = Duration.seconds(60)

        /// How large a picture may be; checked before memory for pixels is taken.
        public var limits = ImageLimits()

        /// Whether a file that is cut short gives the part that is there, marked by ``Image/isPartial``; false.
        public var acceptsPartial = false

        /// Which answers count as pictures by their `Content-Type`; ``ContentTypePolicy/strict``.
        public var contentTypes = ContentTypePolicy.strict

        /// Chooses the fallback image for a request that brings none, by why its picture can't be had; nil for none.
        ///
        /// Runs on the store's actor; it must not block.
        public var fallbackImage: (@Sendable (Error) -> Image?)?

        /// The codecs to decode with; the first that knows a file takes it.
        public var codecs: [any ImageCodec] = Image.codecs

        /// The clock that ends the life of remembered failures; a continuous one, which nobody can set.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Where files are kept between runs; nil, the default, for nowhere.
        public var disk: DiskConfiguration?

        /// What says that memory is short, upon which the store drops its pictures from memory; the kernel
        /// (``PressureStallSource/shared``), or nil for nothing.
        public var memoryPressure: (any MemoryPressureSource)? = PressureStallSource.shared

        /// The wall clock, in seconds since 1970, by which servers' dates are judged; the system's.
        public var wallTime: @Sendable () -> Int = { time(nil) }

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// Which answers count as pictures by their `Content-Type`.
    ///
    /// With either, the type and the bytes must agree when the type is a picture's, and `text/html` is never one.
    public enum ContentTypePolicy: Hashable, Sendable {
        /// Only those with one `image/` type.
        case strict

        /// Also those without a type, or with a generic one such as `application/octet-stream`, if their first bytes
        /// are a picture's.
        case sniffing
    }

    /// For how long failures are remembered, by cause; zero or less means not at all.
    ///
    /// While one is remembered, the URL is not requested again. A request that got no whole answer (no network,
    /// timed out, cancelled, cut short) is never remembered.
    /// What a server says of a 404, 410, 429 or 503 (`Cache-Control: max-age`, `Retry-After`) goes before these, up to
    /// ``longest``.
    public struct FailureLifetimes: Sendable, Hashable {
        /// The picture does not exist: status 404 or 410; 10 minutes.
        public var gone = Duration.seconds(600)

        /// The server is in trouble: status 408, 425, 429 or 5xx; 10 seconds.
        public var serverTrouble = Duration.seconds(10)

        /// The answer can't be used: any other status, not a picture, damaged, or too large; 1 minute.
        public var unusable = Duration.seconds(60)

        /// The longest time that a server's word is taken for; 1 day.
        public var longest = Duration.seconds(86_400)

        /// Creates lifetimes with the defaults.
        public init() {}
    }
}

extension ImageStore.FailureLifetimes {
    /// For how long a failure is remembered, or nil for not at all.
    func lifetime(of failure: LoadFailure) -> Duration? {
        guard let usual = lifetime(of: failure.error) else { return nil }
        guard let told = failure.lifetime else { return usual }
        return told > .zero ? min(told, longest) : nil
    }

    private func lifetime(of error: ImageStore.Error) -> Duration? {
        let lifetime: Duration
        switch error {
        case .status(404), .status(410): lifetime = gone
        case .status(408), .status(425), .status(429), .status(500...): lifetime = serverTrouble
        case .status, .contentType, .emptyBody, .mismatch, .undecodable: lifetime = unusable
        case .transport(.tooLarge): lifetime = unusable
        case .transport, .unavailable, .notCached, .cancelled: return nil
        }
        return lifetime > .zero ? lifetime : nil
    }
}

extension ImageStore.Configuration {
    func fallback(for error: ImageStore.Error) -> Image? {
        fallbackImage?(error)?.markedAsFallback()
    }
}
