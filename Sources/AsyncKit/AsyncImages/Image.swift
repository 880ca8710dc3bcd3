/// A decoded picture: its size and its pixels, which never change.
///
/// An image is a value that any task may read. Copies share one buffer, so passing an image on costs a reference
/// count and no pixels; comparing two images reads both. The samples are 8 bits of red, green, blue and alpha, in
/// this order, in the sRGB colour space, alpha not multiplied in. Rows run from the top and follow each other
/// without padding.
///
/// ```swift
/// let red = try Image(width: 16, height: 16) { _, _ in Image.Pixel(red: 255, green: 0, blue: 0) }
/// let file = try red.encoded(as: .png)
/// let same = try Image(decoding: file)
/// ```
///
/// EXIF orientation, embedded colour profiles, animation and 16-bit samples are not represented: a picture comes
/// as it is stored, its first frame only, reduced to 8 bits.
public struct Image: Sendable, Equatable {
    /// The width in pixels, at least 1.
    public let width: Int

    /// The height in pixels, at least 1.
    public let height: Int

    /// Whether this picture stands in for one that could not be had.
    ///
    /// ``ImageStore`` sets the mark on what it returns in place of a picture that failed.
    public let isFallback: Bool

    private let samples: [UInt8]

    static let bytesPerPixel = 4

    /// Makes an image of `width` × `height` from RGBA bytes, without copying them.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - pixels: Four bytes a pixel, row after row from the top.
    /// - Throws: ``Error/wrongSize(width:height:)`` unless both are at least 1 and match the count of bytes.
    public init(width: Int, height: Int, pixels: [UInt8]) throws(Error) {
        guard Self.byteCount(width: width, height: height) == pixels.count else {
            throw .wrongSize(width: width, height: height)
        }
        self.init(width: width, height: height, samples: pixels, isFallback: false)
    }

    private init(width: Int, height: Int, samples: [UInt8], isFallback: Bool) {
        self.width = width
        self.height = height
        self.samples = samples
        self.isFallback = isFallback
    }

    /// The memory the pixels take, in bytes; a cache counts this as the image's cost.
    public var byteCount: Int { samples.count }

    /// Lends the RGBA bytes to `body`, without copying them.
    ///
    /// - Parameter body: Runs at once on the caller's thread; the span is valid only inside.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withPixels<Result, Failure: Swift.Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(samples.span)
    }

    /// The bytes of a picture of this size, or nil when there is no such picture.
    static func byteCount(width: Int, height: Int) -> Int? {
        guard width > 0, height > 0 else { return nil }
        let (pixels, tooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, tooLarge) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
        return tooMany || tooLarge ? nil : bytes
    }

    /// The same picture and buffer, marked as one that stands in for another.
    func markedAsFallback() -> Image {
        Image(width: width, height: height, samples: samples, isFallback: true)
    }
}
