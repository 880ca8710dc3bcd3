import AsyncPrimitives

/// A picture file that passed the checks, on its way to be decoded.
///
/// It holds a permit, of the downloads or of the files read from disk, until the last decode lets go of it, so that the
/// bodies in memory are bounded.
struct ImageFile: Sendable {
    let bytes: [UInt8]
    let codec: any ImageCodec
    let status: Int
    let origin: ImageResponse.Origin
    let permit: Permit

    /// How old the response is, and for how long it is good, in seconds; nil for as long as it is in memory.
    var age = 0
    var lifetime: Int?

    /// For how long it may be used stale when the server fails, in seconds.
    var staleLifetime: Int?

    /// What is to be written to disk once it was decoded.
    var unsaved: Unsaved?

    /// Whether it is stale, and the server is to be asked after it was handed out.
    var needsRefresh = false

    var isFromDisk: Bool { origin == .disk || origin == .revalidated }

    func loaded(as image: Image) -> LoadedPicture {
        LoadedPicture(
            image: image,
            origin: origin,
            file: .init(status: status, format: codec.format, byteCount: bytes.count, age: .seconds(age)),
            lifetime: lifetime.map { .seconds($0) },
            staleLifetime: staleLifetime.map { .seconds($0) },
            unsaved: unsaved,
            needsRefresh: needsRefresh
        )
    }
}

/// A permit that is given back when nobody holds it any more.
final class Permit: Sendable {
    private let limiter: Limiter

    /// Takes charge of a permit that was acquired.
    init(_ limiter: Limiter) {
        self.limiter = limiter
    }

    deinit {
        limiter.release()
    }
}
