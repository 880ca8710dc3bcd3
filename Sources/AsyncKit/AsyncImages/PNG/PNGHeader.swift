/// The signature and the first chunk of a PNG file (PNG specification, sections 5.2 and 11.2.2).
struct PNGHeader {
    let width: Int
    let height: Int

    /// Samples × depth, the size of a stored pixel.
    let bitsPerPixel: Int

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The signature, and the header chunk with its length, name, 13 bytes and checksum.
    static let length = 33

    init(_ bytes: [UInt8]) throws(Image.Error) {
        guard bytes.starts(with: Self.signature) else { throw .png("no signature") }
        guard bytes.count >= Self.length else { throw .png("ends inside its header") }
        guard bytes.bigEndian(at: 8) == 13, bytes.bigEndian(at: 12) == PNGChunk.header else {
            throw .png("no header chunk")
        }
        let sides = 1...Int(Int32.max)
        let (width, height) = (bytes.bigEndian(at: 16), bytes.bigEndian(at: 20))
        guard sides.contains(width), sides.contains(height) else { throw .png("a side of 0 or above 2^31") }
        guard let samples = Self.samples(colorType: bytes[25]), (1...16).contains(bytes[24]) else {
            throw .png("unknown colour type")
        }
        self.width = width
        self.height = height
        bitsPerPixel = samples * Int(bytes[24])
    }

    private static func samples(colorType: UInt8) -> Int? {
        switch colorType {
        case 0, 3: 1
        case 2: 3
        case 4: 2
        case 6: 4
        default: nil
        }
    }
}

extension Image.Error {
    static func png(_ reason: String) -> Image.Error {
        .damaged(.png, reason: reason)
    }
}

extension [UInt8] {
    /// The 32-bit number at `offset`; the caller has checked that four bytes are there.
    func bigEndian(at offset: Int) -> Int {
        (0..<4).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
