/// Finds the orientation in an EXIF block, and reads nothing else.
///
/// The block is a small TIFF file (TIFF 6.0, section 2; EXIF 3.0, section 4.6): a header that says the byte order and
/// where the first directory stands, and the directory with entries of 12 bytes. The directory is the only place that
/// is followed, so a hostile block can't make a loop, and each of its at most 65,535 entries is looked at once.
enum EXIFOrientation {
    /// The orientation that the block names, upright when it names none or is damaged.
    ///
    /// - Parameter block: What a JPEG's APP1 segment holds, with or without the mark `Exif\0\0`.
    /// - Returns: The orientation.
    static func orientation(inEXIF block: Span<UInt8>) -> Orientation {
        guard let reader = TIFFReader(block), let directory = reader.long(4, in: block) else {
            return .upright
        }
        let count = reader.short(directory, in: block) ?? 0
        for index in 0..<count {
            let entry = directory + 2 + index * entryLength
            guard let tag = reader.short(entry, in: block) else { break }
            if tag == orientationTag { return value(of: entry, reader, in: block) ?? .upright }
        }
        return .upright
    }

    /// The standard asks for a short; some writers use a long, or the signed form of either.
    private static func value(of entry: Int, _ reader: TIFFReader, in block: Span<UInt8>) -> Orientation? {
        guard reader.long(entry + 4, in: block) == 1 else { return nil }
        let number: Int? =
            switch reader.short(entry + 2, in: block) {
            case 3, 8: reader.short(entry + 8, in: block)
            case 4, 9: reader.long(entry + 8, in: block)
            default: nil
            }
        return number.flatMap { UInt8(exactly: $0) }.flatMap { Orientation(rawValue: $0) }
    }

    private static let entryLength = 12
    private static let orientationTag = 0x0112
}

/// Numbers of a TIFF block in its own byte order, nil for a place outside.
private struct TIFFReader {
    private let start: Int
    private let isLittleEndian: Bool

    /// Nil without a TIFF header.
    init?(_ bytes: Span<UInt8>) {
        let mark: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
        let isMarked = bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
        start = isMarked ? mark.count : 0
        guard bytes.count - start >= 8, bytes[start] == bytes[start + 1] else { return nil }
        switch bytes[start] {
        case 0x49: isLittleEndian = true
        case 0x4D: isLittleEndian = false
        default: return nil
        }
        guard short(2, in: bytes) == 42 else { return nil }
    }

    /// The 16-bit number at `offset` from the header; offsets stay far below overflow, since they come of 32 bits.
    func short(_ offset: Int, in bytes: Span<UInt8>) -> Int? { number(at: offset, length: 2, in: bytes) }

    /// The 32-bit number at `offset` from the header.
    func long(_ offset: Int, in bytes: Span<UInt8>) -> Int? { number(at: offset, length: 4, in: bytes) }

    private func number(at offset: Int, length: Int, in bytes: Span<UInt8>) -> Int? {
        guard offset >= 0, offset <= bytes.count - start - length else { return nil }
        var result = 0
        for index in 0..<length {
            let place = isLittleEndian ? length - 1 - index : index
            result = result << 8 | Int(bytes[start + offset + place])
        }
        return result
    }
}
