import FoundationEssentials

/// A small generator whose sequence depends on the seed alone, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// The bytes with one to four of them changed, and sometimes the tail cut off.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            bytes[Int.random(in: bytes.indices, using: &self)] = UInt8.random(in: .min ... .max, using: &self)
        }
        if Int.random(in: 0..<8, using: &self) == 0 {
            bytes.removeLast(Int.random(in: bytes.indices, using: &self))
        }
        return bytes
    }
}

/// The memory of this process that is in RAM, from proc(5), `/proc/self/statm`.
func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (Int(fields[1]) ?? 0) * 4096
}
