import AsyncImages
import Testing

@Suite(.timeLimit(.minutes(2)))
struct PNGCodecTests {
    @Test func whatIsWrittenComesBackUnchanged() throws {
        let image = try Pictures.gradient()
        let file = try image.encoded(as: .png)
        #expect(try Image(decoding: file) == image)
        #expect(try PNGCodec().probe(file) == ImageHeader(format: .png, width: 13, height: 9))
    }

    @Test func theHeaderAloneTellsTheSize() throws {
        let file = try Pictures.gradient(width: 300, height: 200).encoded(as: .png)
        #expect(try PNGCodec().probe(Array(file.prefix(33))).width == 300)
    }

    @Test func aFileCutAnywhereIsAnError() throws {
        let file = try Pictures.gradient().encoded(as: .png)
        for length in 0..<file.count {
            #expect(throws: Image.Error.self, "\(length) of \(file.count) bytes") {
                try PNGCodec().decode(Array(file.prefix(length)), ImageDecoding())
            }
        }
    }

    @Test func flippedBitsNeverTrapAndKeepTheSizeWithinLimits() throws {
        let file = try Pictures.gradient(width: 40, height: 30).encoded(as: .png)
        var decoding = ImageDecoding()
        decoding.limits.maximumPixels = 10_000
        var noise = SplitMix(seed: 7)
        for _ in 0..<20_000 {
            let damaged = noise.damage(file)
            guard let image = try? Image(decoding: damaged, decoding) else { continue }
            #expect(image.width * image.height <= 10_000)
        }
    }

    @Test func hugeDimensionsAreRefusedFromTheHeader() {
        let rows = [UInt8](repeating: 0, count: 1000)
        for (width, height): (UInt32, UInt32) in [(1 << 31 - 1, 1), (1, 1 << 31 - 1), (65_535, 65_535)] {
            let file = PNGWriter(width: width, height: height).file(rows: rows)
            #expect(throws: Image.Error.tooLarge(width: Int(width), height: Int(height))) {
                try Image(decoding: file)
            }
        }
    }

    @Test func tooLittleDataForItsSizeIsRefusedWithoutTakingTheMemory() async {
        // In a process of its own, so that no other test moves the memory.
        await #expect(processExitsWith: .success) {
            let file = PNGWriter(width: 7000, height: 7000).file(rows: [UInt8](repeating: 0, count: 60_000))
            let before = try residentBytes()
            #expect(throws: Image.Error.damaged(.png, reason: "too little data for its size")) {
                try Image(decoding: file)
            }
            #expect(try residentBytes() - before < 16 << 20)
        }
    }

    @Test(arguments: [(0, 1), (1, 0), (UInt32.max, 1)] as [(UInt32, UInt32)])
    func impossibleSidesAreDamage(width: UInt32, height: UInt32) {
        let file = PNGWriter(width: width, height: height).file(rows: [0])
        #expect(throws: Image.Error.self) { try Image(decoding: file) }
        #expect(throws: Image.Error.self) { try PNGCodec().probe(file) }
    }

    @Test func greyPaletteAndDeepFilesBecomeRGBA() throws {
        let grey = PNGWriter(width: 1, height: 1, colorType: 0).file(rows: [0, 77])
        #expect(try Image(decoding: grey)[0, 0] == Image.Pixel(red: 77, green: 77, blue: 77))
        let palette = PNGWriter(
            width: 2,
            height: 1,
            depth: 1,
            colorType: 3,
            palette: [1, 2, 3, 4, 5, 6],
            transparency: [9]
        ).file(rows: [0, 0b0100_0000])
        let indexed = try Image(decoding: palette)
        #expect(indexed[0, 0] == Image.Pixel(red: 1, green: 2, blue: 3, alpha: 9))
        #expect(indexed[1, 0] == Image.Pixel(red: 4, green: 5, blue: 6))
        let deep = PNGWriter(width: 1, height: 1, depth: 16, colorType: 2)
            .file(rows: [0, 0xFF, 0xFF, 0x80, 0x80, 0, 0])
        #expect(try Image(decoding: deep)[0, 0] == Image.Pixel(red: 255, green: 128, blue: 0))
    }

    @Test func interlacedFilesComeOutInOrder() throws {
        // A 2 × 2 picture has three Adam7 passes with pixels: (0,0), then (1,0), then the second row.
        let writer = PNGWriter(width: 2, height: 2, colorType: 0, isInterlaced: true)
        let image = try Image(decoding: writer.file(rows: [0, 10, 0, 20, 0, 30, 40]))
        let reds = [image[0, 0], image[1, 0], image[0, 1], image[1, 1]].map(\.red)
        #expect(reds == [10, 20, 30, 40])
    }

    @Test func rowsThatEndEarlyAreDamage() {
        let file = PNGWriter(width: 4, height: 4).file(rows: [UInt8](repeating: 0, count: 17 * 3))
        #expect(throws: Image.Error.self) { try Image(decoding: file) }
    }
}
