import AsyncImages
import CTurboJPEG
import Testing

@Suite(.timeLimit(.minutes(2)))
struct JPEGCodecTests {
    @Test func whatIsWrittenLooksTheSame() throws {
        let file = try Pictures.jpeg(Image.Pixel(red: 200, green: 100, blue: 50), width: 33, height: 17)
        let image = try Image(decoding: file)
        #expect((image.width, image.height) == (33, 17))
        let pixel = image[32, 16]
        #expect(
            abs(Int(pixel.red) - 200) < 4 && abs(Int(pixel.green) - 100) < 4 && abs(Int(pixel.blue) - 50) < 4
        )
        #expect(pixel.alpha == 255)
        #expect(try JPEGCodec().probe(file) == ImageHeader(format: .jpeg, width: 33, height: 17))
    }

    @Test func transparentPixelsShowWhite() throws {
        let clear = Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0)
        let image = try Image(decoding: Pictures.solid(clear).encoded(as: .jpeg(quality: 100)))
        #expect(image[3, 3] == Image.Pixel(red: 255, green: 255, blue: 255))
    }

    @Test func lowerQualityMakesASmallerFile() throws {
        let image = try Pictures.gradient(width: 200, height: 200)
        #expect(try image.encoded(as: .jpeg(quality: 10)).count < image.encoded(as: .jpeg(quality: 95)).count)
    }

    @Test(arguments: [0, 101, Int.min, Int.max])
    func aQualityOutsideTheScaleIsAnError(quality: Int) throws {
        let image = try Pictures.gradient()
        #expect(throws: Image.Error.self) { try image.encoded(as: .jpeg(quality: quality)) }
    }

    @Test func aSideAboveTheFormatIsAnError() throws {
        let image = try Pictures.solid(Pictures.red, width: 65_501, height: 1)
        #expect(throws: Image.Error.self) { try image.encoded(as: .jpeg()) }
    }

    @Test func aFileCutAnywhereIsAnError() throws {
        let file = try Pictures.gradient(width: 64, height: 48).encoded(as: .jpeg())
        for length in 0..<file.count {
            #expect(throws: Image.Error.self, "\(length) of \(file.count) bytes") {
                try JPEGCodec().decode(Array(file.prefix(length)), ImageDecoding())
            }
        }
    }

    @Test func flippedBitsNeverTrapAndKeepTheSizeWithinLimits() throws {
        let file = try Pictures.gradient(width: 40, height: 30).encoded(as: .jpeg())
        var decoding = ImageDecoding()
        decoding.limits.maximumPixels = 10_000
        var noise = SplitMix(seed: 11)
        for _ in 0..<20_000 {
            let damaged = noise.damage(file)
            guard let image = try? Image(decoding: damaged, decoding) else { continue }
            #expect(image.width * image.height <= 10_000)
        }
    }

    @Test func hugeDimensionsAreRefusedFromTheHeader() async {
        // In a process of its own, so that no other test moves the memory.
        await #expect(processExitsWith: .success) {
            let file = try JPEGWriter.resized(Pictures.jpeg(), width: 65_500, height: 65_500)
            let before = try residentBytes()
            #expect(throws: Image.Error.tooLarge(width: 65_500, height: 65_500)) { try Image(decoding: file) }
            #expect(try residentBytes() - before < 16 << 20)
        }
    }

    @Test func aHeightOfZeroIsDamage() throws {
        let file = try JPEGWriter.resized(Pictures.jpeg(), width: 8, height: 0)
        #expect(throws: Image.Error.self) { try Image(decoding: file) }
    }

    @Test func fourColorFilesAreReadAsAdobeWritesThem() throws {
        let file = try JPEGWriter.file([255, 0, 0, 255], pixelFormat: TJPF_CMYK)
        expectRed(try Image(decoding: file)[5, 5])
    }

    @Test func everySubsamplingAndProgressiveFilesAreRead() throws {
        let samplings = [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411]
        for sampling in samplings {
            for flags in [0, TJFLAG_PROGRESSIVE] {
                let file = try JPEGWriter.file(
                    [255, 0, 0],
                    pixelFormat: TJPF_RGB,
                    subsampling: sampling,
                    flags: flags
                )
                expectRed(try Image(decoding: file)[5, 5])
            }
        }
        let grey = try JPEGWriter.file([90], pixelFormat: TJPF_GRAY, subsampling: TJSAMP_GRAY)
        #expect(try Image(decoding: grey)[5, 5] == Image.Pixel(red: 90, green: 90, blue: 90))
    }

    private func expectRed(_ pixel: Image.Pixel) {
        #expect(pixel.red > 245 && pixel.green < 10 && pixel.blue < 10 && pixel.alpha == 255)
    }
}
