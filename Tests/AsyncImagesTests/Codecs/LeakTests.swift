import AsyncImages
import Testing

/// Each test runs in a process of its own, so that no other one moves the memory.
@Suite(.timeLimit(.minutes(2)))
struct LeakTests {
    @Test func damagedPNGFilesLeaveNoMemoryBehind() async {
        await #expect(processExitsWith: .success) {
            let growth = try growthByDamage(to: Pictures.gradient(width: 40, height: 30).encoded(as: .png))
            precondition(growth < 8 << 20, "Memory grew by \(growth) bytes.")
        }
    }

    @Test func damagedJPEGFilesLeaveNoMemoryBehind() async {
        await #expect(processExitsWith: .success) {
            let growth = try growthByDamage(to: Pictures.gradient(width: 40, height: 30).encoded(as: .jpeg()))
            precondition(growth < 8 << 20, "Memory grew by \(growth) bytes.")
        }
    }

    @Test func encodingLeavesNoMemoryBehind() async {
        await #expect(processExitsWith: .success) {
            let image = try Pictures.gradient(width: 40, height: 30)
            let growth = try growth {
                _ = try image.encoded(as: .png)
                _ = try image.encoded(as: .jpeg())
            }
            precondition(growth < 8 << 20, "Memory grew by \(growth) bytes.")
        }
    }
}

private func growthByDamage(to file: [UInt8]) throws -> Int {
    var noise = SplitMix(seed: 3)
    var decoding = ImageDecoding()
    decoding.limits.maximumPixels = 10_000
    return try growth { _ = try? Image(decoding: noise.damage(file), decoding) }
}

/// How much more memory is in use after many rounds than after some.
private func growth(_ round: () throws -> Void) throws -> Int {
    for _ in 0..<1000 { try round() }
    let before = try residentBytes()
    for _ in 0..<4000 { try round() }
    return try residentBytes() - before
}
