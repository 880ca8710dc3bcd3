import AsyncImages
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ImageTests {
    @Test func keepsWhatItWasMadeOf() throws {
        let image = try Image(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(image[1, 0] == Image.Pixel(red: 5, green: 6, blue: 7, alpha: 8))
        #expect(image.byteCount == 8)
        #expect(!image.isFallback)
        #expect(image.withPixels { $0.count } == 8)
    }

    @Test(arguments: [(0, 1, 0), (1, 0, 0), (-1, -4, 16), (2, 2, 15), (Int.max, 2, 8), (Int.max, Int.max, 4)])
    func refusesASizeThatDoesNotMatchItsBytes(width: Int, height: Int, count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        #expect(throws: Image.Error.wrongSize(width: width, height: height)) {
            try Image(width: width, height: height, pixels: bytes)
        }
    }

    @Test func paintingAnImpossibleSizeThrowsBeforeItAllocates() {
        #expect(throws: Image.Error.wrongSize(width: .max, height: .max)) {
            try Image(width: .max, height: .max) { _, _ in Pictures.red }
        }
    }

    @Test func copiesShareOneBuffer() throws {
        let image = try Pictures.gradient()
        let copy = image
        let addresses = [image, copy].map { image in
            image.withPixels { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        }
        #expect(addresses[0] == addresses[1])
    }

    @Test func pixelOutsideThePictureTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = try Pictures.png().count
            let image = try Image(width: 2, height: 2) { _, _ in Pictures.red }
            print(image[2, 0])
        }
    }

    @Test func limitsRefuseEachSideAndTheProduct() throws {
        let header = ImageHeader(format: .png, width: 100, height: 50)
        try ImageLimits(maximumWidth: 100, maximumHeight: 50, maximumPixels: 5000).check(header)
        for limits in [
            ImageLimits(maximumWidth: 99), ImageLimits(maximumHeight: 49), ImageLimits(maximumPixels: 4999),
        ] {
            #expect(throws: Image.Error.tooLarge(width: 100, height: 50)) { try limits.check(header) }
        }
    }

    @Test func boundlessLimitsStillRefuseWhatNoMemoryCanHold() {
        let limits = ImageLimits(maximumWidth: .max, maximumHeight: .max, maximumPixels: .max)
        for side in [Int.max, 1 << 31] {
            let header = ImageHeader(format: .png, width: side, height: side)
            #expect(throws: Image.Error.tooLarge(width: side, height: side)) { try limits.check(header) }
        }
    }

    @Test func unknownBytesAreUnrecognized() {
        for bytes: [UInt8] in [[], [0xFF], Array("GIF89a".utf8), Array("<html>".utf8)] {
            #expect(throws: Image.Error.unrecognized) { try Image(decoding: bytes) }
        }
    }
}
