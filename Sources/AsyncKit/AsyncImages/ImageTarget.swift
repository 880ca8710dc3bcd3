/// The box a picture is to be decoded for, in pixels, and how the picture shall meet it.
public struct ImageTarget: Hashable, Sendable {
    /// How a picture meets the box.
    public enum Fit: Hashable, Sendable {
        /// The whole picture inside the box, in its own shape; never enlarged.
        case fit

        /// The box's shape, cut from the middle of the picture; never enlarged.
        case fill

        /// Exactly the box's size, stretched or enlarged where need be.
        case exact
    }

    /// The width of the box in pixels, at least 1.
    public let width: Int

    /// The height of the box in pixels, at least 1.
    public let height: Int

    /// How the picture meets the box.
    public let fit: Fit

    /// Makes a target; a side below 1 counts as 1, one above 65,535 as that.
    public init(width: Int, height: Int, fit: Fit = .fit) {
        self.width = min(max(1, width), 65_535)
        self.height = min(max(1, height), 65_535)
        self.fit = fit
    }
}
