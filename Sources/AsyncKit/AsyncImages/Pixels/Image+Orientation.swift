extension Image {
    /// The picture turned upright, of the same depth and with its marks.
    ///
    /// Takes the memory of a second picture, unless there is nothing to turn.
    func oriented(_ orientation: Orientation) -> Image {
        guard orientation != .upright else { return self }
        let turned = [UInt8](unsafeUninitializedCapacity: samples.count) { target, count in
            samples.withUnsafeBytes { source in
                let walk = OrientationWalk(orientation, width: width, height: height)
                switch depth {
                case .eight: walk.copy(UInt32.self, from: source, to: UnsafeMutableRawBufferPointer(target))
                case .sixteen: walk.copy(UInt64.self, from: source, to: UnsafeMutableRawBufferPointer(target))
                }
            }
            count = samples.count
        }
        let size = orientation.size(width: width, height: height)
        return replacing(width: size.width, height: size.height, samples: turned)
    }
}

/// Where each stored pixel goes: a start and a step for each column and each row.
private struct OrientationWalk {
    let width: Int
    let height: Int
    let start: Int
    let columnStep: Int
    let rowStep: Int

    init(_ orientation: Orientation, width: Int, height: Int) {
        self.width = width
        self.height = height
        let swaps = orientation.swapsSides
        let column = swaps ? height : 1
        let row = swaps ? 1 : width
        columnStep = orientation.reversesColumns ? -column : column
        rowStep = orientation.reversesRows ? -row : row
        start = (columnStep < 0 ? (width - 1) * column : 0) + (rowStep < 0 ? (height - 1) * row : 0)
    }

    /// Copies in squares, so that a column that is written stays in the cache until its neighbours are.
    func copy<Pixel: BitwiseCopyable>(
        _ type: Pixel.Type,
        from source: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer
    ) {
        let side = abs(columnStep) == 1 ? width : 32
        for top in stride(from: 0, to: height, by: 32) {
            for left in stride(from: 0, to: width, by: side) {
                for y in top..<min(top + 32, height) {
                    copyRow(type, y: y, columns: left..<min(left + side, width), from: source, to: target)
                }
            }
        }
    }

    /// Every place lies inside the picture, since start and steps were made from its size; wrapping saves the checks.
    @inline(__always)
    private func copyRow<Pixel: BitwiseCopyable>(
        _ type: Pixel.Type,
        y: Int,
        columns: Range<Int>,
        from source: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer
    ) {
        let size = MemoryLayout<Pixel>.size
        var from = (y &* width &+ columns.lowerBound) &* size
        var to = (start &+ y &* rowStep &+ columns.lowerBound &* columnStep) &* size
        for _ in columns {
            target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: from, as: type),
                toByteOffset: to,
                as: type
            )
            from &+= size
            to &+= columnStep &* size
        }
    }
}
