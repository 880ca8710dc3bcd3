extension Image {
    /// How many bits a sample has.
    enum Depth: Hashable, Sendable {
        /// 8 bits, from 0 to 255; four bytes a pixel.
        case eight

        /// 16 bits, from 0 to 65,535; eight bytes a pixel.
        case sixteen

        /// The bytes of one pixel.
        var bytesPerPixel: Int { self == .eight ? 4 : 8 }
    }
}
