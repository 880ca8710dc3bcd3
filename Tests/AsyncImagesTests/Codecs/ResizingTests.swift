import Glibc
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct ResizingTests {
    @Test(arguments: [
        (ImageTarget.Fit.fit, 400, 200, 100, 50), (.fit, 200, 400, 50, 100), (.fit, 80, 60, 80, 60),
        (.fit, 10_000, 1, 100, 1), (.fill, 400, 200, 100, 100), (.fill, 100, 50, 50, 50),
        (.fill, 60, 80, 60, 60),
        (.fill, 300, 100, 100, 100), (.exact, 10, 10, 100, 100), (.exact, 1000, 10, 100, 100),
    ])
    func theResultMeetsTheBox(fit: ImageTarget.Fit, width: Int, height: Int, toWidth: Int, toHeight: Int) {
        let target = ImageTarget(width: 100, height: 100, fit: fit)
        #expect(target.resultSize(width: width, height: height) == (toWidth, toHeight))
    }

    @Test func sizesKeepTheirPromisesForEveryShape() {
        for width in [1, 2, 7, 99, 100, 101, 1000, 50_000] {
            for height in [1, 3, 8, 100, 102, 999] {
                for box in [(1, 1), (100, 1), (64, 48), (65_535, 65_535)] {
                    let fit = ImageTarget(width: box.0, height: box.1, fit: .fit)
                    let fitted = fit.resultSize(width: width, height: height)
                    #expect(1...min(width, box.0) ~= fitted.width && 1...min(height, box.1) ~= fitted.height)
                    let fill = ImageTarget(width: box.0, height: box.1, fit: .fill)
                    let scaled = fill.scaledSize(width: width, height: height)
                    let filled = fill.resultSize(width: width, height: height)
                    #expect(filled.width <= scaled.width && filled.height <= scaled.height)
                    #expect(scaled.width <= width && scaled.height <= height)
                    #expect(filled.width <= box.0 && filled.height <= box.1)
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 10, 23, 64])
    func aSingleColourStaysExactlyThat(side: Int) throws {
        for pixel in [
            Image.Pixel(red: 200, green: 3, blue: 77), .init(red: 9, green: 250, blue: 1, alpha: 127),
        ] {
            let image = try Pictures.solid(pixel, width: 64, height: 48)
            let resized = image.resized(to: ImageTarget(width: side, height: side, fit: .exact))
            #expect((resized.width, resized.height) == (side, side))
            #expect(resized == (try Pictures.solid(pixel, width: side, height: side)))
        }
    }

    @Test func whatIsTransparentDoesNotShowThrough() throws {
        let image = try Image(width: 40, height: 40) { x, _ in
            x < 20 ? Pictures.red : Image.Pixel(red: 0, green: 255, blue: 0, alpha: 0)
        }
        let small = image.resized(to: ImageTarget(width: 5, height: 5))
        for x in 0..<5 where small[x, 2].alpha > 0 {
            #expect(small[x, 2].green == 0 && small[x, 2].red == 255)
        }
        #expect(small[0, 2].alpha > 245 && small[4, 2].alpha < 10)
    }

    @Test func aFilledBoxShowsTheMiddle() throws {
        let image = try Image(width: 90, height: 30) { x, _ in
            (30..<60).contains(x) ? Pictures.red : Pictures.blue
        }
        let middle = image.resized(to: ImageTarget(width: 30, height: 30, fit: .fill))
        #expect(middle == (try Pictures.solid(Pictures.red, width: 30, height: 30)))
    }

    @Test func aRampStaysARamp() throws {
        let ramp = try Image(width: 256, height: 4) { x, _ in
            .init(red: UInt8(x), green: 0, blue: UInt8(255 - x))
        }
        let small = ramp.resized(to: ImageTarget(width: 16, height: 4, fit: .exact))
        for x in 1..<16 {
            #expect(small[x, 0].red > small[x - 1, 0].red && small[x, 0].blue < small[x - 1, 0].blue)
        }
    }

    @Test(arguments: [(1000, 1), (1, 1000), (1, 1), (257, 3)])
    func thinPicturesBecomeOnePixel(width: Int, height: Int) throws {
        let image = try Pictures.solid(Pictures.blue, width: width, height: height)
        #expect(image.resized(to: ImageTarget(width: 1, height: 1, fit: .exact)).byteCount == 4)
        #expect(image.resized(to: ImageTarget(width: 1, height: 1, fit: .fill))[0, 0] == Pictures.blue)
    }

    @Test func sixteenBitsStaySixteenBits() throws {
        let values: [UInt16] = (0..<64).flatMap { _ in [1000, 30_000, 65_535, 65_535] as [UInt16] }
        let bytes = values.withUnsafeBytes { [UInt8]($0) }
        let image = try Image(width: 8, height: 8, depth: .sixteen, samples: bytes)
        let small = image.resized(to: ImageTarget(width: 3, height: 3))
        #expect(small.depth == .sixteen && small.byteCount == 9 * 8)
        let pixel = small.samples.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt16>.self) }
        #expect(pixel == [1000, 30_000, 65_535, 65_535])
    }

    @Test func marksStay() throws {
        var image = try Pictures.solid(Pictures.red)
        image.isPartial = true
        let small = image.resized(to: ImageTarget(width: 2, height: 2))
        #expect(small.isPartial && !small.isFallback)
    }

    /// What the definition says, in one pass and in double precision, for reductions that need no averaging first.
    @Test func theResultIsLanczosToOneStep() throws {
        let image = try Pictures.gradient(width: 23, height: 17)
        let small = image.resized(to: ImageTarget(width: 11, height: 9, fit: .exact))
        for y in 0..<9 {
            for x in 0..<11 {
                let expected = reference(image, x, y, 11, 9)
                let found = small[x, y]
                let samples = [found.red, found.green, found.blue, found.alpha]
                for (sample, value) in zip(samples, expected) { #expect(abs(Double(sample) - value) <= 1) }
            }
        }
    }

    private func reference(_ image: Image, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [Double] {
        let (across, down) = (weights(x, image.width, width), weights(y, image.height, height))
        var sums = [0.0, 0, 0, 0]
        for (row, vertical) in down.enumerated() {
            for (column, horizontal) in across.enumerated() {
                let pixel = image[column, row]
                let weight = vertical * horizontal
                let opacity = Double(pixel.alpha) / 255
                sums[0] += Double(pixel.red) * opacity * weight
                sums[1] += Double(pixel.green) * opacity * weight
                sums[2] += Double(pixel.blue) * opacity * weight
                sums[3] += opacity * weight
            }
        }
        return sums[..<3].map { min(255, max(0, $0 / sums[3])) } + [min(255, max(0, sums[3] * 255))]
    }

    private func weights(_ place: Int, _ length: Int, _ count: Int) -> [Double] {
        let scale = Double(length) / Double(count)
        let raw = (0..<length).map { source -> Double in
            let t = abs(Double(source) + 0.5 - (Double(place) + 0.5) * scale) / max(1, scale)
            if t >= 3 { return 0 }
            return t == 0 ? 1 : sin(.pi * t) / (.pi * t) * sin(.pi * t / 3) / (.pi * t / 3)
        }
        return raw.map { $0 / raw.reduce(0, +) }
    }
}
