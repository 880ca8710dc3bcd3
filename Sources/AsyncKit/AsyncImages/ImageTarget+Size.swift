extension ImageTarget {
    /// The size the whole picture is to be scaled to, before any of it is cut off.
    ///
    /// A codec that can decode to a smaller size gives at least this much.
    ///
    /// - Parameters:
    ///   - width: The picture's width in pixels, at least 1.
    ///   - height: The picture's height in pixels, at least 1.
    /// - Returns: Sides of at least 1, rounded to the nearest pixel; never above the picture's own, but for
    ///   ``Fit/exact``.
    public func scaledSize(width: Int, height: Int) -> (width: Int, height: Int) {
        // Which side of the picture meets the box is told by comparing the shapes, without rounding.
        let isWider = self.width * height <= self.height * width
        switch fit {
        case .exact:
            return (self.width, self.height)
        case .fit:
            if width <= self.width && height <= self.height { return (width, height) }
            return isWider ? byWidth(width, height) : byHeight(width, height)
        case .fill:
            if width <= self.width || height <= self.height { return (width, height) }
            return isWider ? byHeight(width, height) : byWidth(width, height)
        }
    }

    /// The size of the result: what is left of the scaled picture when it is cut to the shape of the box.
    ///
    /// - Parameters:
    ///   - width: The picture's width in pixels, at least 1.
    ///   - height: The picture's height in pixels, at least 1.
    /// - Returns: Sides of at least 1.
    public func resultSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let scaled = scaledSize(width: width, height: height)
        guard fit == .fill else { return scaled }
        return Self.cut(scaled.width, scaled.height, toShapeOf: self)
    }

    /// The largest rectangle of the box's shape, and no larger than the box, inside a picture.
    static func cut(_ width: Int, _ height: Int, toShapeOf box: ImageTarget) -> (width: Int, height: Int) {
        if width >= box.width && height >= box.height { return (box.width, box.height) }
        if box.width * height <= box.height * width {
            return (rounded(box.width * height, over: box.height), height)
        }
        return (width, rounded(box.height * width, over: box.width))
    }

    private func byWidth(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        (self.width, Self.rounded(height * self.width, over: width))
    }

    private func byHeight(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        (Self.rounded(width * self.height, over: height), self.height)
    }

    private static func rounded(_ dividend: Int, over divisor: Int) -> Int {
        max(1, (dividend + divisor / 2) / divisor)
    }
}
