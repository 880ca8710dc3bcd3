import AsyncPrimitives

/// A picture file that passed the checks, on its way to be decoded.
///
/// It holds its download's permit until the last decode lets go of it, so that the bodies in memory are bounded.
struct ImageFile: Sendable {
    let bytes: [UInt8]
    let codec: any ImageCodec
    let status: Int
    let origin: ImageResponse.Origin
    let age: Duration
    let lifetime: Duration?
    let permit: Permit

    func loaded(as image: Image) -> LoadedPicture {
        let file = ImageResponse.File(status: status, format: codec.format, byteCount: bytes.count, age: age)
        return LoadedPicture(image: image, origin: origin, file: file, lifetime: lifetime)
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
