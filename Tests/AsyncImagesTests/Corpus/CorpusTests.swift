import Testing

@testable import AsyncImages

/// Files that other projects test their decoders with, sound and broken ones.
@Suite(.timeLimit(.minutes(2)))
struct CorpusTests {
    // The truncated one lacks its last scans and is whole otherwise: the reference shows it as far as it goes.
    @Test(arguments: [
        "video-001", "video-001.221212", "video-001.rgb", "video-001.progressive.truncated", "video-005.gray",
    ])
    func aJPEGFileLooksLikeItsReference(name: String) throws {
        let image = try Image(decoding: Corpus.go.file(name + ".jpeg").bytes)
        let reference = try Image(decoding: Corpus.go.file(name + ".png").bytes)
        #expect((image.width, image.height) == (reference.width, reference.height))
        #expect(meanDifference(image, reference) < 4)
    }

    @Test func aTurnedJPEGFileLooksLikeItsReference() throws {
        let image = try Image(decoding: Corpus.gdkPixbuf.file("bug725582-testrotate.jpg").bytes)
        let reference = try Image(decoding: Corpus.gdkPixbuf.file("bug725582-testrotate.png").bytes)
        #expect((image.width, image.height) == (reference.width, reference.height))
        #expect(meanDifference(image, reference) < 2)
    }

    @Test func everySubsamplingAndScanOrderIsRead() throws {
        for file in try Corpus.go.files(["jpeg"]) where !file.name.contains("truncated") {
            let image = try Image(decoding: file.bytes)
            #expect((image.width, image.height) == (150, 103), "\(file)")
        }
    }

    @Test func aCutFileIsAnErrorOrMarkedAsAPart() throws {
        let file = try Corpus.gdkPixbuf.file("premature-end.jpg").bytes
        #expect(throws: Image.Error.self) { try Image(decoding: file).width }
        var decoding = ImageDecoding()
        decoding.acceptsPartial = true
        #expect(try Image(decoding: file, decoding).isPartial)
    }

    /// Whatever comes of a file, it is a picture or a typed error.
    @Test func noFileDoesWorseThanAnError() throws {
        var decoding = ImageDecoding()
        decoding.limits.maximumPixels = 1_000_000
        decoding.target = ImageTarget(width: 32, height: 32)
        let files = try Corpus.files { bytes in Image.codecs.contains { $0.sniff(bytes) } }
        #expect(files.count > 100)
        for file in files where file.bytes.count < 300_000 {
            for acceptsPartial in [false, true] {
                decoding.acceptsPartial = acceptsPartial
                do throws(Image.Error) {
                    let image = try Image(decoding: file.bytes, decoding)
                    #expect(max(image.width, image.height) <= 32, "\(file)")
                } catch {
                    #expect(!error.description.isEmpty, "\(file)")
                }
            }
        }
    }

    private func meanDifference(_ first: Image, _ second: Image) -> Double {
        let sum = zip(first.samples, second.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(first.samples.count)
    }
}
