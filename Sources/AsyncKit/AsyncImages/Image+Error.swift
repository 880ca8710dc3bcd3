extension Image {
    /// Why bytes did not become a picture, or a picture did not become bytes.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// No codec knows the first bytes of the file.
        case unrecognized

        /// The file is cut short, or its content contradicts itself; the text is the codec's own.
        case damaged(ImageFormat, reason: String)

        /// The header names a size above ``ImageLimits``; nothing was decoded.
        case tooLarge(width: Int, height: Int)

        /// The size is not positive or does not match the bytes that were given.
        case wrongSize(width: Int, height: Int)

        /// The picture can't be written in this format; the text says why.
        case unencodable(ImageFormat, reason: String)
    }
}

extension Image.Error: CustomStringConvertible {
    /// One sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .unrecognized:
            "The bytes are no picture of a known format; use a PNG or JPEG file or add a codec for the format."
        case .damaged(let format, let reason):
            "The \(format) file is damaged or cut short (\(reason)); fetch it again or replace it."
        case .tooLarge(let width, let height):
            "The picture says it is \(width) × \(height) pixels; raise ImageLimits if its source is trusted."
        case .wrongSize(let width, let height):
            "No picture of \(width) × \(height) has these bytes; give width × height × 4 bytes, both at least 1."
        case .unencodable(let format, let reason):
            "The picture can't be written as \(format): \(reason)."
        }
    }
}
