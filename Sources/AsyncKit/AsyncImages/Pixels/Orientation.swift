/// How a stored picture must be turned to be seen upright; the numbers are EXIF's (EXIF 3.0, tag 0x0112).
enum Orientation: UInt8, CaseIterable {
    /// Stored as it is seen.
    case upright = 1
    /// Left and right are exchanged.
    case mirrored = 2
    /// Half a turn.
    case upsideDown = 3
    /// Top and bottom are exchanged.
    case flipped = 4
    /// Rows and columns are exchanged.
    case transposed = 5
    /// A quarter turn clockwise makes it upright.
    case turnedLeft = 6
    /// Rows and columns are exchanged, about the other diagonal.
    case transversed = 7
    /// A quarter turn anticlockwise makes it upright.
    case turnedRight = 8

    /// Whether the picture is as wide as its stored form is high.
    var swapsSides: Bool { rawValue >= 5 }

    /// Whether the first stored column is the last row or column that is seen.
    var reversesColumns: Bool { [.mirrored, .upsideDown, .transversed, .turnedRight].contains(self) }

    /// Whether the first stored row is the last row or column that is seen.
    var reversesRows: Bool { [.upsideDown, .flipped, .turnedLeft, .transversed].contains(self) }

    /// The size that is seen of a stored size; the way back is the same.
    func size(width: Int, height: Int) -> (width: Int, height: Int) {
        swapsSides ? (height, width) : (width, height)
    }
}
