import AsyncImages

/// Pictures made on the spot, so that the tests carry no files.
enum Pictures {
    /// Every pixel differs, in all four samples.
    static func gradient(width: Int = 13, height: Int = 9) throws -> Image {
        try Image(width: width, height: height) { x, y in
            Image.Pixel(
                red: UInt8(truncatingIfNeeded: x * 17),
                green: UInt8(truncatingIfNeeded: y * 29),
                blue: UInt8(truncatingIfNeeded: x * y),
                alpha: UInt8(truncatingIfNeeded: 255 - x)
            )
        }
    }

    static func solid(_ pixel: Image.Pixel, width: Int = 8, height: Int = 8) throws -> Image {
        try Image(width: width, height: height) { _, _ in pixel }
    }

    static let red = Image.Pixel(red: 255, green: 0, blue: 0)
    static let blue = Image.Pixel(red: 0, green: 0, blue: 255)

    static func png(_ pixel: Image.Pixel = red, width: Int = 8, height: Int = 8) throws -> [UInt8] {
        try solid(pixel, width: width, height: height).encoded(as: .png)
    }

    static func jpeg(_ pixel: Image.Pixel = red, width: Int = 8, height: Int = 8) throws -> [UInt8] {
        try solid(pixel, width: width, height: height).encoded(as: .jpeg())
    }
}
