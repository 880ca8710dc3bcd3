extension Image {
    /// How to write a picture.
    public enum Encoding: Hashable, Sendable {
        /// Lossless, with alpha.
        case png

        /// Lossy, without alpha, from quality 1, small, to 100, nearly true; 85 unless told otherwise.
        case jpeg(quality: Int = 85)
    }

    /// The codecs that come with the library: PNG and JPEG.
    public static let codecs: [any ImageCodec] = [PNGCodec(), JPEGCodec()]

    /// Decodes a picture file; the format is told by its first bytes.
    ///
    /// Decoding occupies the calling thread for about 20 ms a megapixel of PNG and 3 ms of JPEG. In async code let
    /// ``ImageStore`` do it, or give the work to a thread pool.
    ///
    /// - Parameters:
    ///   - file: The whole file.
    ///   - decoding: How large the picture may be and what the result shall be.
    ///   - codecs: The codecs to ask, the first that knows the file decodes it.
    /// - Throws: ``Error/unrecognized``, ``Error/tooLarge(width:height:)`` or ``Error/damaged(_:reason:)``.
    public init(
        decoding file: [UInt8],
        _ decoding: ImageDecoding = ImageDecoding(),
        codecs: [any ImageCodec] = Image.codecs
    ) throws(Error) {
        guard let codec = codecs.first(where: { $0.sniff(file) }) else { throw .unrecognized }
        self = try codec.decode(file, decoding).resized(to: decoding.target)
    }

    /// Writes the picture as a file.
    ///
    /// - Parameter encoding: The format and its quality.
    /// - Returns: The bytes of the file.
    /// - Throws: ``Error/unencodable(_:reason:)``: a quality outside 1...100, or a side above what the format can say.
    public func encoded(as encoding: Encoding) throws(Error) -> [UInt8] {
        switch encoding {
        case .png: try PNGCodec().encode(self, quality: 100)
        case .jpeg(let quality): try JPEGCodec().encode(self, quality: quality)
        }
    }
}
