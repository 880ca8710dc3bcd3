import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct OrientationTests {
    /// An L that no turn maps onto itself: what each orientation shows of the stored rows AB, CD, EF.
    @Test(
        arguments: [
            (1, ["AB", "CD", "EF"]), (2, ["BA", "DC", "FE"]), (3, ["FE", "DC", "BA"]),
            (4, ["EF", "CD", "AB"]),
            (5, ["ACE", "BDF"]), (6, ["ECA", "FDB"]), (7, ["FDB", "ECA"]), (8, ["BDF", "ACE"]),
        ] as [(UInt8, [String])]
    )
    func eachOrientationMovesEachPixelToItsPlace(number: UInt8, rows: [String]) throws {
        let orientation = try #require(Orientation(rawValue: number))
        for depth in [Image.Depth.eight, .sixteen] {
            let turned = try letters(["AB", "CD", "EF"], depth).oriented(orientation)
            #expect(turned == (try letters(rows, depth)), "\(depth)")
        }
    }

    @Test func aPictureLargerThanABlockIsTurnedWhole() throws {
        let stored = try Pictures.gradient(width: 75, height: 41)
        let turned = stored.oriented(.turnedLeft)
        #expect((turned.width, turned.height) == (41, 75))
        for y in 0..<41 { for x in 0..<75 { #expect(turned[40 - y, x] == stored[x, y]) } }
        #expect(turned.oriented(.turnedRight) == stored)
    }

    @Test func marksAreKept() throws {
        var image = try Pictures.gradient()
        image.isPartial = true
        #expect(image.oriented(.transposed).isPartial)
    }

    private func letters(_ rows: [String], _ depth: Image.Depth) throws -> Image {
        let samples = rows.flatMap { row in
            row.utf8.flatMap { letter in (0..<UInt8(depth.bytesPerPixel)).map { letter &+ $0 } }
        }
        return try Image(width: rows[0].count, height: rows.count, depth: depth, samples: samples)
    }
}
