extension Image {
    /// One pixel: red, green, blue and alpha from 0 to 255.
    public struct Pixel: Hashable, Sendable {
        /// The red sample.
        public var red: UInt8

        /// The green sample.
        public var green: UInt8

        /// The blue sample.
        public var blue: UInt8

        /// How opaque the pixel is; 0 is clear, 255 is solid.
        public var alpha: UInt8

        /// Makes a pixel, solid unless `alpha` says otherwise.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }

    /// Paints an image, asking `pixel` for each place from the top left, row by row.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - pixel: Returns the pixel at column `x` and row `y`, both counted from 0.
    /// - Throws: ``Error/wrongSize(width:height:)`` unless both are at least 1 and their bytes can be counted.
    public init(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> Pixel) throws(Error) {
        guard let count = Self.byteCount(width: width, height: height) else {
            throw .wrongSize(width: width, height: height)
        }
        var samples: [UInt8] = []
        samples.reserveCapacity(count)
        for y in 0..<height {
            for x in 0..<width {
                let color = pixel(x, y)
                samples.append(color.red)
                samples.append(color.green)
                samples.append(color.blue)
                samples.append(color.alpha)
            }
        }
        try self.init(width: width, height: height, pixels: samples)
    }

    /// The pixel at column `x` and row `y`, both counted from 0 at the top left.
    ///
    /// A place outside the picture is a mistake of the program and traps, like an array index.
    public subscript(x: Int, y: Int) -> Pixel {
        precondition(
            (0..<width).contains(x) && (0..<height).contains(y),
            "(\(x), \(y)) is outside an image of \(width) × \(height); ask for a place inside it."
        )
        let start = (y * width + x) * Self.bytesPerPixel
        return withPixels { all in
            Pixel(red: all[start], green: all[start + 1], blue: all[start + 2], alpha: all[start + 3])
        }
    }
}
