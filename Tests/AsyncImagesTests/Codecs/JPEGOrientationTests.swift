import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct JPEGOrientationTests {
    /// Red at the left, blue at the right, stored; grey below.
    private func stored() throws -> Image {
        try Image(width: 32, height: 16) { x, _ in x < 16 ? Pictures.red : Pictures.blue }
    }

    private func file(_ orientation: UInt8) throws -> [UInt8] {
        EXIFWriter.inserted(orientation, into: try stored().encoded(as: .jpeg(quality: 95)))
    }

    @Test(arguments: [
        (1, 32, 16), (2, 32, 16), (3, 32, 16), (4, 32, 16), (5, 16, 32), (6, 16, 32), (7, 16, 32),
        (8, 16, 32),
    ])
    func everyOrientationComesUprightOnce(orientation: UInt8, width: Int, height: Int) throws {
        let file = try file(orientation)
        let header = try JPEGCodec().probe(file)
        #expect((header.width, header.height) == (width, height))
        let image = try Image(decoding: file)
        #expect((image.width, image.height) == (width, height))
        // Where red, stored at the left, is to be seen (TIFF 6.0, tag 274).
        let (redX, redY): (Int, Int)
        switch orientation {
        case 1, 4: (redX, redY) = (2, 8)
        case 2, 3: (redX, redY) = (29, 8)
        case 5, 6: (redX, redY) = (8, 2)
        default: (redX, redY) = (8, 29)
        }
        let red = image[redX, redY]
        #expect(red.red > 200 && red.blue < 50)
        let opposite = image[width - 1 - redX, height - 1 - redY]
        #expect(opposite.blue > 200 && opposite.red < 50)
    }

    @Test func aThumbnailIsUprightToo() throws {
        var decoding = ImageDecoding()
        decoding.target = ImageTarget(width: 8, height: 8)
        let image = try Image(decoding: file(6), decoding)
        #expect((image.width, image.height) == (4, 8))
        #expect(image[1, 1].red > 200 && image[1, 6].blue > 200)
    }

    @Test func aCutFileGivesItsPartOnlyWhenAskedTo() throws {
        let whole = try Pictures.gradient(width: 64, height: 64).encoded(as: .jpeg(quality: 95))
        let cut = Array(whole.prefix(whole.count * 2 / 3))
        #expect(throws: Image.Error.self) { try Image(decoding: cut) }
        var decoding = ImageDecoding()
        decoding.acceptsPartial = true
        let part = try Image(decoding: cut, decoding)
        #expect(part.isPartial && part.height == 64)
        #expect(try !Image(decoding: whole, decoding).isPartial)
        #expect(throws: Image.Error.self) { try Image(decoding: Array(whole.prefix(20)), decoding) }
    }
}
