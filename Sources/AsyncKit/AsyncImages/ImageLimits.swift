/// How large a picture may be before it is refused.
///
/// A file of a few hundred bytes can claim to be 65,535 pixels wide and as many high, which is 17 GB of pixels.
/// Codecs compare the header with these limits before they take memory for a single pixel.
public struct ImageLimits: Hashable, Sendable {
    /// The widest picture that is decoded, in pixels; 32,768 unless told otherwise.
    public var maximumWidth: Int

    /// The highest picture that is decoded, in pixels; 32,768 unless told otherwise.
    public var maximumHeight: Int

    /// The largest width × height that is decoded; 50,000,000 unless told otherwise.
    ///
    /// Each pixel of the result takes 4 bytes, so the default allows 200 MB. While a progressive JPEG is being
    /// decoded, the codec needs up to 8 bytes a pixel more.
    public var maximumPixels: Int

    /// Makes limits; what is left out keeps its default.
    public init(maximumWidth: Int = 32_768, maximumHeight: Int = 32_768, maximumPixels: Int = 50_000_000) {
        self.maximumWidth = maximumWidth
        self.maximumHeight = maximumHeight
        self.maximumPixels = maximumPixels
    }

    /// Refuses a picture that is larger than the limits.
    ///
    /// A codec calls this with the numbers of the file's header, before it allocates.
    ///
    /// - Parameter header: What the file says about itself.
    /// - Throws: ``Image/Error/tooLarge(width:height:)``, also when the product does not fit an `Int`.
    public func check(_ header: ImageHeader) throws(Image.Error) {
        let (pixels, overflow) = header.width.multipliedReportingOverflow(by: header.height)
        let fits =
            !overflow && header.width <= maximumWidth && header.height <= maximumHeight
            && pixels <= min(maximumPixels, Int.max / 8)
        guard fits else { throw .tooLarge(width: header.width, height: header.height) }
    }
}
