/// How a picture file is to be decoded: how large it may be, and what the result shall be.
///
/// ```swift
/// func thumbnail(of file: [UInt8]) throws -> Image {
///     var decoding = ImageDecoding()
///     decoding.target = ImageTarget(width: 320, height: 320, fit: .fit)
///     return try Image(decoding: file, decoding)
/// }
/// ```
public struct ImageDecoding: Hashable, Sendable {
    /// How large the picture may be; checked before memory for pixels is taken.
    public var limits = ImageLimits()

    /// The box that the result shall fill or fit; nil, the default, keeps the stored size.
    public var target: ImageTarget?

    /// Whether a file that is cut short gives the part that is there, marked by ``Image/isPartial``; false.
    ///
    /// Otherwise it is an error, ``Image/Error/damaged(_:reason:)``. Only JPEG files give parts; a PNG file is whole or
    /// an error either way.
    public var acceptsPartial = false

    /// Makes a decoding with the defaults.
    public init() {}
}
