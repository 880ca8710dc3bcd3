/// A picture file format, such as PNG.
///
/// A codec for another format makes a name of its own: `ImageFormat("qoi")`.
public struct ImageFormat: Hashable, Sendable, CustomStringConvertible {
    /// The format's short name, as people say it: "PNG".
    public let name: String

    /// Makes a format from its short name; formats with equal names are equal.
    public init(_ name: String) {
        self.name = name
    }

    /// Portable Network Graphics, read and written by ``PNGCodec``.
    public static let png = ImageFormat("PNG")

    /// JPEG, baseline and progressive, read and written by ``JPEGCodec``.
    public static let jpeg = ImageFormat("JPEG")

    /// The short name.
    public var description: String { name }
}
