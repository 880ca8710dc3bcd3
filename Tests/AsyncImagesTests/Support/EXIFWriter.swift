/// Writes an EXIF block as cameras do: a tag before the orientation, and the mark in front.
enum EXIFWriter {
    static func block(_ orientation: UInt8, isLittleEndian: Bool = false) -> [UInt8] {
        func number(_ value: UInt8, _ length: Int) -> [UInt8] {
            let big = [UInt8](repeating: 0, count: length - 1) + [value]
            return isLittleEndian ? big.reversed() : big
        }
        func entry(_ tag: UInt8, _ value: UInt8) -> [UInt8] {
            let name: [UInt8] = isLittleEndian ? [tag, 1] : [1, tag]
            return name + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
        }
        let order: [UInt8] = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
        return [UInt8]("Exif\0\0".utf8) + order + number(42, 2) + number(8, 4) + number(2, 2)
            + entry(0x06, 2) + entry(0x12, orientation) + number(0, 4)
    }

    /// The JPEG file with the block in an APP1 segment behind its start mark.
    static func inserted(_ orientation: UInt8, into jpeg: [UInt8]) -> [UInt8] {
        let block = block(orientation)
        return jpeg.prefix(2) + [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block + jpeg.dropFirst(2)
    }
}
