import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct EXIFOrientationTests {
    @Test(arguments: Orientation.allCases, [true, false])
    func bothByteOrdersWithAndWithoutTheMarkAreRead(orientation: Orientation, isLittleEndian: Bool) {
        let block = EXIFWriter.block(orientation.rawValue, isLittleEndian: isLittleEndian)
        #expect(read(block) == orientation)
        #expect(read(Array(block.dropFirst(6))) == orientation)
    }

    @Test(arguments: [0, 9, 255] as [UInt8])
    func aNumberThatMeansNothingIsUpright(number: UInt8) {
        #expect(read(EXIFWriter.block(number)) == .upright)
    }

    @Test func aBlockCutAnywhereIsUpright() {
        let block = EXIFWriter.block(6)
        for length in 0..<block.count - 6 {
            #expect(read(Array(block.prefix(length))) == .upright, "\(length)")
        }
    }

    @Test func offsetsBeyondTheBlockAreUpright() {
        for value in [UInt8.max, 0x7F, 0x80] {
            var block = EXIFWriter.block(6)
            block.replaceSubrange(10..<14, with: [value, 0xFF, 0xFF, 0xFF])
            #expect(read(block) == .upright)
        }
    }

    @Test func randomDamageNeverTraps() {
        var noise = SplitMix(seed: 5)
        let block = EXIFWriter.block(6)
        for _ in 0..<20_000 { _ = read(noise.damage(block)) }
    }

    private func read(_ block: [UInt8]) -> Orientation { EXIFOrientation.orientation(inEXIF: block.span) }
}
