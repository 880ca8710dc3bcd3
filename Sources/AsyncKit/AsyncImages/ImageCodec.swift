/// Reads and writes pictures of one format.
///
/// ```swift
/// func header(of file: [UInt8]) throws -> ImageHeader? {
///     try Image.codecs.first { $0.sniff(file) }?.probe(file)
/// }
/// ```
///
/// A codec gets bytes from strangers. It checks everything, never traps, and compares the header with the limits
/// before it takes memory for pixels. ``ImageStore`` calls `decode` on threads of its own, several at once.
public protocol ImageCodec: Sendable {
    /// The format this codec is for.
    var format: ImageFormat { get }

    /// The media types servers use for the format, in lower case, the registered one first.
    var contentTypes: [String] { get }

    /// Whether the bytes begin as a file of this format does; reads a few bytes and allocates nothing.
    func sniff(_ bytes: [UInt8]) -> Bool

    /// Reads the size from the header, without decoding and without needing the whole file.
    ///
    /// - Throws: ``Image/Error/damaged(_:reason:)`` when there is no sound header.
    func probe(_ bytes: [UInt8]) throws(Image.Error) -> ImageHeader

    /// Decodes a whole file.
    ///
    /// A codec that can decode to a smaller size cheaply may do so when ``ImageDecoding/target`` asks for less; the
    /// result must still be at least as large as the target needs (``ImageTarget/scaledSize(width:height:)``). Whoever
    /// calls resizes it to the exact size.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - decoding: How large the picture may be and what the result shall be.
    /// - Returns: The picture, upright and complete; a file that is cut short is an error unless
    ///   ``ImageDecoding/acceptsPartial`` is set.
    /// - Throws: ``Image/Error/tooLarge(width:height:)`` or ``Image/Error/damaged(_:reason:)``.
    func decode(_ bytes: [UInt8], _ decoding: ImageDecoding) throws(Image.Error) -> Image

    /// Writes a picture as a file of this format.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - quality: From 1, small, to 100, true; a lossless format ignores it.
    /// - Returns: The file.
    /// - Throws: ``Image/Error/unencodable(_:reason:)``.
    func encode(_ image: Image, quality: Int) throws(Image.Error) -> [UInt8]
}
