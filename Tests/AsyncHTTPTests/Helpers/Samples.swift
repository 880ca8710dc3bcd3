/// Bodies for the tests.
enum Samples {
    private static let gzipHeader: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// "hello" and a newline, compressed.
    static let gzipOfHello: [UInt8] =
        gzipHeader + [
            0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 0x02, 0x00, 0x20, 0x30, 0x3A, 0x36, 0x06, 0x00, 0x00, 0x00,
        ]

    /// Zeros, compressed 158 to 1: the start of one deflate block of fixed codes (RFC 1951 §3.2.6).
    static func gzipOfZeros(atLeast count: Int) -> [UInt8] {
        let blockStart = "110"
        let zero = "00110000"
        // "258 bytes" from "one byte back", eight times: as many bits as fill whole bytes.
        let copies = String(repeating: "11000101" + "00000", count: 8)
        let head = bytes(blockStart + zero + copies.prefix(5))
        let unit = bytes(copies.dropFirst(5) + copies.prefix(5))
        return gzipHeader + head + (0...count / (8 * 258)).flatMap { _ in unit }
    }

    /// Deflate and brotli fill each byte from its lowest bit.
    static func bytes(_ bits: some StringProtocol) -> [UInt8] {
        let bits = bits.map { $0 == "1" ? UInt8(1) : 0 }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reversed().reduce(0) { $0 << 1 | $1 }
        }
    }
}
