/// A sample of a picture: 8 or 16 bits.
protocol PixelSample: FixedWidthInteger & UnsignedInteger & SIMDScalar & Codable & Sendable {}

extension UInt8: PixelSample {}
extension UInt16: PixelSample {}

/// A part of a picture, in pixels from the top left.
struct PixelWindow: Hashable, Sendable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
}
