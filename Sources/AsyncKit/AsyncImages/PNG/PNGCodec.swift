/// The PNG codec, on libpng's simplified API.
///
/// ```swift
/// let dot = try Image(width: 1, height: 1, pixels: [255, 0, 0, 255])
/// let file = try PNGCodec().encode(dot, quality: 100)
/// print(try PNGCodec().probe(file).width)  // 1
/// ```
///
/// Reads every colour type and depth, interlaced or not, and converts to 8-bit sRGB RGBA with the file's gamma.
/// 16-bit files lose their lower bits; an animation (APNG) shows its still picture. Writes 8-bit RGBA.
///
/// A file must be whole, from the signature to the end mark. One whose compressed part is too small to hold the
/// pixels its header promises is refused before memory for them is taken.
public struct PNGCodec: ImageCodec {
    /// Makes a codec; it holds no state.
    public init() {}

    /// PNG.
    public var format: ImageFormat { .png }

    /// `image/png`, and the older and animated names for it.
    public var contentTypes: [String] { ["image/png", "image/x-png", "image/apng"] }

    /// Whether the bytes begin with the eight bytes of the PNG signature.
    public func sniff(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: PNGHeader.signature)
    }

    /// Reads the size from the first 33 bytes.
    public func probe(_ bytes: [UInt8]) throws(Image.Error) -> ImageHeader {
        let header = try PNGHeader(bytes)
        return ImageHeader(format: .png, width: header.width, height: header.height)
    }

    /// Decodes a PNG file.
    public func decode(_ bytes: [UInt8], _ decoding: ImageDecoding) throws(Image.Error) -> Image {
        let header = try PNGHeader(bytes)
        try decoding.limits.check(ImageHeader(format: .png, width: header.width, height: header.height))
        try Self.checkRatio(header, compressed: PNGChunk.compressedLength(in: bytes))
        return try Self.read(bytes, header)
    }

    /// Writes a PNG file; `quality` is ignored.
    public func encode(_ image: Image, quality: Int) throws(Image.Error) -> [UInt8] {
        guard image.byteCount <= Self.largestEncoded else {
            throw .unencodable(.png, reason: "its pixels take more than \(Self.largestEncoded) bytes")
        }
        return try Self.write(image)
    }

    /// libpng's simplified API counts the bytes of the file it writes in 32 bits.
    private static let largestEncoded = 1 << 30

    /// Deflate turns one byte into at most 1,032, so fewer compressed bytes than this can't fill the picture.
    private static func checkRatio(_ header: PNGHeader, compressed: Int) throws(Image.Error) {
        let pixels = header.width * header.height
        guard pixels / 8 <= Int.max / 64, compressed >= pixels / 8 * header.bitsPerPixel / 1032 else {
            throw .png("too little data for its size")
        }
    }
}
