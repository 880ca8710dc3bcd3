/// What a picture file says about itself before a pixel is decoded.
public struct ImageHeader: Hashable, Sendable {
    /// The file's format, told by its bytes and never by its name.
    public let format: ImageFormat

    /// The width in pixels as the picture is shown, after its orientation is applied; at least 1.
    public let width: Int

    /// The height in pixels as the picture is shown, after its orientation is applied; at least 1.
    public let height: Int

    /// Makes a header; a codec calls it after it has checked the numbers.
    public init(format: ImageFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }
}
