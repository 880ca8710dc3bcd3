public import AsyncHTTP

/// A picture to ask an ``ImageStore`` for: where it is, how it is wanted, and what may be remembered of it.
///
/// ```swift
/// var request = ImageRequest("https://example.org/photo.jpg")
/// request.target = ImageTarget(width: 320, height: 320)
/// let thumbnail = try await ImageStore.shared.image(for: request)
/// ```
///
/// Requests are the same picture when their URL (without fragment), their header fields or their ``key`` agree; they
/// are then one download, also when their targets differ.
public struct ImageRequest: Sendable, Equatable {
    /// What may be remembered, and whether it may be used.
    public enum CachePolicy: Hashable, Sendable {
        /// Whatever is fresh is used; the rest is asked for, and kept.
        case standard

        /// The server is asked even if a fresh picture, or a failure, is remembered; the answer replaces it.
        case reload

        /// What is in memory or on disk is used, even if it is stale; nothing is asked for.
        ///
        /// Without one the request throws ``ImageStore/Error/notCached``.
        case cacheOnly

        /// As ``standard``, but the answer is not kept, in memory or on disk, nor is a failure.
        case noStore
    }

    /// An absolute `http` or `https` URL; its fragment is ignored.
    public var url: String

    /// Header fields to send with the request; empty unless told otherwise.
    ///
    /// They are part of what tells pictures apart, so a picture that was fetched with one `Authorization` is never
    /// handed out for another.
    public var headerFields: HTTPFields = [:]

    /// What tells this picture apart in place of URL and header fields; nil, the default, for these two.
    ///
    /// For signed URLs, where each is another text for the same picture.
    public var key: String?

    /// The size the picture is wanted in; nil, the default, for its own.
    public var target: ImageTarget?

    /// What may be remembered, and whether it may be used; ``CachePolicy/standard`` unless told otherwise.
    public var cachePolicy = CachePolicy.standard

    /// How urgent the download is beside others to the same host; normal unless told otherwise.
    ///
    /// A download that has begun to wait keeps the priority of the request that started it.
    public var priority = HTTPRequest.Priority.normal

    /// What to return, marked by ``Image/isFallback``, in place of a picture that can't be had; nil for nothing.
    public var fallback: Image?

    /// Makes a request for a picture in its own size.
    public init(_ url: String) {
        self.url = url
    }
}

extension ImageRequest {
    /// The text that is equal for all requests that one download can serve.
    ///
    /// A NUL can't occur in a URL or a header line, so the parts can't run into each other.
    var source: String {
        if let key { return "\0" + key }
        guard headerFields.isEmpty else {
            return headerFields.reduce(into: location) { text, field in
                text += "\0\(field.name.lowercased())\0\(field.value)"
            }
        }
        return location
    }

    /// The URL without its fragment, which no server ever sees (RFC 9110, section 4.2.5).
    private var location: String {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "#")) else { return url }
        return String(url[..<mark])
    }

    var picture: PictureKey { PictureKey(source: source, target: target) }
}

/// One picture in one size, the unit that is decoded and kept in memory.
struct PictureKey: Hashable, Sendable {
    let source: String
    let target: ImageTarget?
}
