/// The JPEG codec, on libjpeg-turbo's TurboJPEG API.
///
/// ```swift
/// let grey = try Image(width: 64, height: 64) { _, _ in Image.Pixel(red: 128, green: 128, blue: 128) }
/// let file = try JPEGCodec().encode(grey, quality: 85)
/// let again = try JPEGCodec().decode(file, ImageDecoding())
/// ```
///
/// Reads baseline and progressive files, grey, YCbCr, RGB, CMYK and YCCK (four-colour files are taken to be stored
/// inverted, as Adobe's programs write them and browsers expect). A file that is cut short, or of which any part
/// does not decode, is an error and never a picture with a grey lower half, unless the decoding accepts partial ones. Progressive files may have up to 500
/// scans. The EXIF orientation is applied; colour profiles are not. Writes baseline YCbCr with 4:2:0 colour.
public struct JPEGCodec: ImageCodec {
    /// Makes a codec; it holds no state.
    public init() {}

    /// JPEG.
    public var format: ImageFormat { .jpeg }

    /// `image/jpeg`, and the unregistered names servers use for it.
    public var contentTypes: [String] { ["image/jpeg", "image/jpg", "image/pjpeg"] }

    /// Whether the bytes begin with a start mark and the first byte of another mark.
    public func sniff(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xD8, 0xFF])
    }

    /// Reads the size from the frame header, which may stand behind long metadata, and the orientation.
    public func probe(_ bytes: [UInt8]) throws(Image.Error) -> ImageHeader {
        let stored = try JPEGDecompressor().readHeader(of: bytes).image
        let shown = JPEGMetadata.orientation(in: bytes).size(width: stored.width, height: stored.height)
        return ImageHeader(format: .jpeg, width: shown.width, height: shown.height)
    }

    /// Decodes a JPEG file; the alpha of the result is 255 everywhere.
    public func decode(_ bytes: [UInt8], _ decoding: ImageDecoding) throws(Image.Error) -> Image {
        let decompressor = try JPEGDecompressor()
        let header = try decompressor.readHeader(of: bytes)
        try decoding.limits.check(header.image)
        let image = try decompressor.readImage(from: bytes, header, acceptsPart: decoding.acceptsPartial)
        return image.oriented(JPEGMetadata.orientation(in: bytes))
    }

    /// Writes a JPEG file; what is transparent shows white, since the format has no alpha.
    public func encode(_ image: Image, quality: Int) throws(Image.Error) -> [UInt8] {
        guard (1...100).contains(quality) else {
            throw .unencodable(.jpeg, reason: "quality \(quality) is not in 1...100")
        }
        guard max(image.width, image.height) <= Self.longestSide else {
            throw .unencodable(.jpeg, reason: "a side is above \(Self.longestSide) pixels")
        }
        return try JPEGCompressor().write(image, quality: quality)
    }

    /// libjpeg's own bound for both sides, JPEG_MAX_DIMENSION.
    private static let longestSide = 65_500
}
