/// Averages squares of pixels into one each, with colours weighted by their opacity.
struct BoxReduction<Sample: PixelSample>: Sendable {
    let window: PixelWindow
    let rowLength: Int

    /// The sides of the squares; those at the right and lower edge may be cut.
    let across: Int
    let down: Int

    /// The reduced size.
    var width: Int { (window.width + across - 1) / across }
    var height: Int { (window.height + down - 1) / down }

    /// Writes row `row` of the reduced picture: opacity-weighted colours and the opacity, from 0 to 1.
    func write(
        _ row: Int,
        of pixels: UnsafeBufferPointer<Sample>,
        to result: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        let lines = row * down..<min(window.height, (row + 1) * down)
        for place in 0..<width { result[place] = .zero }
        for line in lines { add(line, of: pixels, to: result) }
        let full = Float(Sample.max)
        for place in 0..<width {
            let columns = min(window.width, (place + 1) * across) - place * across
            result[place] /= full * Float(lines.count * columns)
        }
    }

    private func add(
        _ line: Int,
        of pixels: UnsafeBufferPointer<Sample>,
        to result: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        let start = ((window.y + line) * rowLength + window.x) * 4
        guard let base = pixels.baseAddress?.advanced(by: start) else { return }
        let source = UnsafeRawPointer(base)
        for place in 0..<width {
            let columns = place * across..<min(window.width, (place + 1) * across)
            result[place] += sum(columns, source)
        }
    }

    /// The sum of pixels of one row; opaque ones, the most, are added without a multiplication.
    private func sum(_ columns: Range<Int>, _ source: UnsafeRawPointer) -> SIMD4<Float> {
        let stride = MemoryLayout<SIMD4<Sample>>.size
        var opaque = SIMD4<UInt32>.zero
        var rest = SIMD4<Float>.zero
        var column = columns.lowerBound
        while column < columns.upperBound {
            let pixel = source.loadUnaligned(fromByteOffset: column &* stride, as: SIMD4<Sample>.self)
            if pixel.w == Sample.max {
                opaque &+= SIMD4<UInt32>(truncatingIfNeeded: pixel)
            } else {
                rest += Self.weighted(pixel)
            }
            column &+= 1
        }
        return rest + SIMD4<Float>(opaque)
    }

    private static func weighted(_ pixel: SIMD4<Sample>) -> SIMD4<Float> {
        var color = SIMD4<Float>(SIMD4<UInt32>(truncatingIfNeeded: pixel))
        let opacity = color.w / Float(Sample.max)
        color.w = Float(Sample.max)
        return color * opacity
    }
}
