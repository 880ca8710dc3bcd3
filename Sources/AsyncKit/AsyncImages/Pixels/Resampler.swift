/// Brings a part of a picture to another size: averaged first, then resampled across and down.
struct Resampler<Sample: PixelSample>: Sendable {
    private let reduction: BoxReduction<Sample>
    private let across: ResampleWeights
    private let down: ResampleWeights
    private let size: (width: Int, height: Int)

    init(window: PixelWindow, rowLength: Int, size: (width: Int, height: Int)) {
        self.size = size
        reduction = BoxReduction(
            window: window,
            rowLength: rowLength,
            across: Self.box(from: window.width, to: size.width),
            down: Self.box(from: window.height, to: size.height)
        )
        across = ResampleWeights(from: Double(window.width) / Double(reduction.across), to: size.width)
        down = ResampleWeights(from: Double(window.height) / Double(reduction.down), to: size.height)
    }

    /// The side of the squares to average: so large that twice the size wanted remains.
    private static func box(from length: Int, to count: Int) -> Int {
        max(1, length / (2 * count))
    }

    /// The resampled picture's samples, as bytes.
    func run(_ pixels: UnsafeBufferPointer<Sample>) -> [UInt8] {
        let rows = rowsAcross(pixels)
        let byteCount = size.width * size.height * MemoryLayout<SIMD4<Sample>>.size
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let result = UnsafeMutableRawBufferPointer(buffer)
            rows.withUnsafeBufferPointer { rows in
                for line in 0..<size.height { writeLine(line, rows, to: result) }
            }
            count = byteCount
        }
    }

    /// The reduced picture with its final width.
    private func rowsAcross(_ pixels: UnsafeBufferPointer<Sample>) -> [SIMD4<Float>] {
        let count = reduction.height * size.width
        var row = [SIMD4<Float>](repeating: .zero, count: reduction.width)
        return [SIMD4<Float>](unsafeUninitializedCapacity: count) { result, initialized in
            row.withUnsafeMutableBufferPointer { row in
                for line in 0..<reduction.height {
                    reduction.write(line, of: pixels, to: row)
                    let start = line * size.width
                    writeAcross(UnsafeBufferPointer(row), to: result, at: start)
                }
            }
            initialized = count
        }
    }

    private func writeAcross(
        _ row: UnsafeBufferPointer<SIMD4<Float>>,
        to result: UnsafeMutableBufferPointer<SIMD4<Float>>,
        at start: Int
    ) {
        let taps = across.taps
        across.starts.withUnsafeBufferPointer { starts in
            across.weights.withUnsafeBufferPointer { weights in
                for place in 0..<size.width {
                    var sum = SIMD4<Float>.zero
                    let first = starts[place]
                    let base = place &* taps
                    for tap in 0..<taps { sum += row[first &+ tap] * weights[base &+ tap] }
                    result[start &+ place] = sum
                }
            }
        }
    }

    private func writeLine(
        _ line: Int,
        _ rows: UnsafeBufferPointer<SIMD4<Float>>,
        to result: UnsafeMutableRawBufferPointer
    ) {
        let stride = MemoryLayout<SIMD4<Sample>>.size
        let first = down.starts[line]
        down.weights.withUnsafeBufferPointer { weights in
            for place in 0..<size.width {
                var sum = SIMD4<Float>.zero
                for tap in 0..<down.taps {
                    sum += rows[(first &+ tap) &* size.width &+ place] * weights[line &* down.taps &+ tap]
                }
                let offset = (line &* size.width &+ place) &* stride
                result.storeBytes(of: Self.sample(sum), toByteOffset: offset, as: SIMD4<Sample>.self)
            }
        }
    }

    /// The stored form of an opacity-weighted colour; the window's negative lobes can lead out of the range.
    private static func sample(_ weighted: SIMD4<Float>) -> SIMD4<Sample> {
        let full = Float(Sample.max)
        let opacity = min(max(weighted.w, 0), 1)
        // Below half a step of opacity the result is clear, and its colour has no meaning.
        guard opacity * full >= 0.5 else { return .zero }
        var color = weighted / weighted.w
        color.w = opacity
        let scaled = color.clamped(lowerBound: .zero, upperBound: .one) * full + 0.5
        return SIMD4<Sample>(truncatingIfNeeded: SIMD4<UInt32>(scaled))
    }
}
