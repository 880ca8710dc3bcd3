/// A decoded picture: its size and its pixels, which never change.
///
/// An image is a value that any task may read. Copies share one buffer, so passing an image on costs a reference
/// count and no pixels; comparing two images reads both. The samples are red, green, blue and alpha, in this order,
/// alpha not multiplied in, 8 bits each. Rows run from the top, as the picture is to be
/// seen (a stored orientation has been applied), and follow each other without padding.
///
/// ```swift
/// let red = try Image(width: 16, height: 16) { _, _ in Image.Pixel(red: 255, green: 0, blue: 0) }
/// let file = try red.encoded(as: .png)
/// let same = try Image(decoding: file)
/// ```
///
/// The samples count as sRGB: embedded colour profiles are not read. Of an animation the first frame is shown, and
/// samples of 16 bits are reduced to 8.
public struct Image: Sendable, Equatable {
    /// The width in pixels, at least 1.
    public let width: Int

    /// The height in pixels, at least 1.
    public let height: Int

    /// How many bits a sample has; no codec gives 16 yet.
    let depth: Depth

    /// Whether the file was cut short, and the image shows only the part that was there.
    ///
    /// Only a decoding with ``ImageDecoding/acceptsPartial`` gives such an image.
    public internal(set) var isPartial = false

    /// Whether this picture stands in for one that could not be had.
    ///
    /// ``ImageStore`` sets the mark on what it returns in place of a picture that failed.
    public internal(set) var isFallback = false

    let samples: [UInt8]

    static let bytesPerPixel = 4

    /// Makes an image of `width` × `height` from RGBA bytes, without copying them.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - pixels: Four bytes a pixel, row after row from the top.
    /// - Throws: ``Error/wrongSize(width:height:)`` unless both are at least 1 and match the count of bytes.
    public init(width: Int, height: Int, pixels: [UInt8]) throws(Error) {
        try self.init(width: width, height: height, depth: .eight, samples: pixels)
    }

    /// Makes an image from samples of either depth; 16-bit ones lie in the machine's byte order.
    init(width: Int, height: Int, depth: Depth, samples: [UInt8]) throws(Error) {
        guard Self.byteCount(width: width, height: height, depth: depth) == samples.count else {
            throw .wrongSize(width: width, height: height)
        }
        self.width = width
        self.height = height
        self.depth = depth
        self.samples = samples
    }

    /// The memory the pixels take, in bytes; a cache counts this as the image's cost.
    public var byteCount: Int { samples.count }

    /// The bytes from the start of a row to the start of the next; rows have no padding.
    public var bytesPerRow: Int { width * depth.bytesPerPixel }

    /// Lends the bytes of the samples to `body`, without copying them.
    ///
    /// - Parameter body: Runs at once on the caller's thread; the span is valid only inside. It holds four bytes a
    ///   pixel.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withPixels<Result, Failure: Swift.Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(samples.span)
    }

    /// The bytes of a picture of this size, or nil when there is no such picture.
    static func byteCount(width: Int, height: Int, depth: Depth = .eight) -> Int? {
        guard width > 0, height > 0 else { return nil }
        let (pixels, tooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, tooLarge) = pixels.multipliedReportingOverflow(by: depth.bytesPerPixel)
        return tooMany || tooLarge ? nil : bytes
    }

    /// Another size of the same picture, with everything else as it is; the caller answers for the count.
    func replacing(width: Int, height: Int, samples: [UInt8]) -> Image {
        Image(copying: self, width: width, height: height, samples: samples)
    }

    private init(copying image: Image, width: Int, height: Int, samples: [UInt8]) {
        self.width = width
        self.height = height
        depth = image.depth
        isPartial = image.isPartial
        isFallback = image.isFallback
        self.samples = samples
    }

    /// The same picture and buffer, marked as one that stands in for another.
    func markedAsFallback() -> Image {
        var image = self
        image.isFallback = true
        return image
    }
}
