extension Image {
    /// The picture in the size that a target asks for.
    ///
    /// Large pictures are first averaged over squares of pixels, to no less than twice the size wanted, and then
    /// resampled with a Lanczos window of three lobes, so that the result is sharp and each pixel is read once.
    /// Colours are weighted by their opacity, so that what is transparent does not show through. Runs on the calling
    /// thread.
    ///
    /// The marks stay.
    ///
    /// - Parameter target: The box, and how the picture shall meet it.
    /// - Returns: A picture of ``ImageTarget/resultSize(width:height:)``; the same one when it has that size already.
    public func resized(to target: ImageTarget) -> Image {
        let size = target.resultSize(width: width, height: height)
        if size == (width, height) { return self }
        var part = (width: width, height: height)
        if target.fit == .fill { part = Self.part(of: part, shapedAs: size) }
        let window = PixelWindow(
            x: (width - part.width) / 2,
            y: (height - part.height) / 2,
            width: part.width,
            height: part.height
        )
        switch depth {
        case .eight: return resampled(window, to: size, as: UInt8.self)
        case .sixteen: return resampled(window, to: size, as: UInt16.self)
        }
    }

    /// The picture in the target's size, or as it is when there is no target.
    func resized(to target: ImageTarget?) -> Image {
        target.map { resized(to: $0) } ?? self
    }

    /// The largest part of a picture that has a shape.
    private static func part(
        of whole: (width: Int, height: Int),
        shapedAs size: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        if size.width * whole.height <= size.height * whole.width {
            return (max(1, (whole.height * size.width + size.height / 2) / size.height), whole.height)
        }
        return (whole.width, max(1, (whole.width * size.height + size.width / 2) / size.width))
    }

    private func resampled<Sample: PixelSample>(
        _ window: PixelWindow,
        to size: (width: Int, height: Int),
        as type: Sample.Type
    ) -> Image {
        let resampler = Resampler<Sample>(window: window, rowLength: width, size: size)
        let result = samples.withUnsafeBytes { resampler.run($0.bindMemory(to: Sample.self)) }
        return replacing(width: size.width, height: size.height, samples: result)
    }
}
