/// A picture and how it came: what ``ImageStore/response(for:onProgress:)`` returns.
public struct ImageResponse: Sendable {
    /// Where a picture came from.
    public enum Origin: String, Hashable, Sendable {
        /// It was in memory.
        case memory

        /// It was on disk, and still good or allowed to be used stale.
        case disk

        /// It was on disk, and the server said that it is still good (status 304).
        case revalidated

        /// The server sent it.
        case network

        /// It is the fallback image, because the picture can't be had.
        case fallback
    }

    /// The picture, or the fallback image.
    public let image: Image

    /// Where it came from.
    public let origin: Origin

    /// What is known about the file; nil for a fallback image.
    public let file: File?

    /// Why the picture can't be had; nil unless ``origin`` is ``Origin/fallback``.
    public let failure: ImageStore.Error?

    /// The time from the call to the answer.
    public let duration: Duration

    /// What is known about the file a picture was decoded from.
    public struct File: Hashable, Sendable {
        /// The status of the response that brought the file.
        public let status: Int

        /// The format, told by the bytes.
        public let format: ImageFormat

        /// The length of the file in bytes.
        public let byteCount: Int

        /// The age of the response as the server and the caches on the way told it, when it was decoded
        /// (RFC 9111, section 4.2.3).
        public let age: Duration
    }

    /// How the cache took part, as a `Cache-Status` field says it (RFC 9211): `AsyncKit; hit`, for example.
    public var cacheStatus: String {
        switch origin {
        case .memory, .disk: "AsyncKit; hit"
        case .revalidated: "AsyncKit; fwd=stale; fwd-status=304"
        case .network: "AsyncKit; fwd=miss"
        case .fallback: "AsyncKit; hit; detail=fallback"
        }
    }
}

/// A decoded picture on its way from the loader to memory and to those who asked.
struct LoadedPicture: Sendable {
    let image: Image
    let origin: ImageResponse.Origin
    let file: ImageResponse.File

    /// For how long it may be used without asking again; nil for always.
    let lifetime: Duration?

    /// For how long it may be used stale, while the server is in trouble; nil for not at all.
    let staleLifetime: Duration?

    /// What is to be written to disk.
    let unsaved: Unsaved?

    /// Whether it is stale, and the server is to be asked now that it was handed out.
    let needsRefresh: Bool
}
