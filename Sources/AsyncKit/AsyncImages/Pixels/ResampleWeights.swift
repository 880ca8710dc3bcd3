import Glibc

/// For each place of a resampled row or column: which places of the source count, and how much.
///
/// The window is Lanczos' with three lobes, as wide as the reduction asks for; the weights of a place add up to 1.
struct ResampleWeights: Sendable {
    /// The first place of the source that counts for each place of the result.
    private(set) var starts: [Int] = []

    /// As many weights for each place; those past its end are 0.
    private(set) var weights: [Float] = []

    /// How many weights each place has.
    let taps: Int

    private static let lobes = 3.0

    /// - Parameters:
    ///   - extent: The length of the source, in its own places; the last may count only in part.
    ///   - count: The places of the result.
    init(from extent: Double, to count: Int) {
        let places = max(1, Int(extent.rounded(.up)))
        let scale = extent / Double(count)
        let stretch = max(1, scale)
        let reach = Self.lobes * stretch
        taps = min(places, Int((2 * reach).rounded(.up)) + 1)
        starts.reserveCapacity(count)
        weights.reserveCapacity(count * taps)
        for place in 0..<count {
            let centre = (Double(place) + 0.5) * scale
            let first = min(max(0, Int((centre - reach).rounded(.down))), places - taps)
            starts.append(first)
            append((first..<first + taps).map { Self.lanczos((Double($0) + 0.5 - centre) / stretch) })
        }
    }

    private mutating func append(_ values: [Double]) {
        let sum = values.reduce(0, +)
        weights.append(contentsOf: values.map { Float($0 / sum) })
    }

    private static func lanczos(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1e-9 { return 1 }
        if x >= lobes { return 0 }
        let angle = Double.pi * x
        return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
    }
}
