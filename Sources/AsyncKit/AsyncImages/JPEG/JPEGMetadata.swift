/// What stands before the pixels of a JPEG file: segments of a mark, a length and content (ITU-T T.81, annex B).
enum JPEGMetadata {
    private static let application1: UInt8 = 0xE1
    private static let startOfScan: UInt8 = 0xDA
    private static let exif = Array("Exif\0\0".utf8)

    /// The orientation that the EXIF segment names; upright when there is none or it makes no sense.
    static func orientation(in file: [UInt8]) -> Orientation {
        guard let segment = exifSegment(in: file) else { return .upright }
        return EXIFOrientation.orientation(inEXIF: file.span.extracting(segment))
    }

    private static func exifSegment(in file: [UInt8]) -> Range<Int>? {
        var offset = 2
        while offset + 4 <= file.count, file[offset] == 0xFF {
            let mark = file[offset + 1]
            // Any number of fill bytes may precede a mark.
            if mark == 0xFF {
                offset += 1
                continue
            }
            let length = Int(file[offset + 2]) << 8 | Int(file[offset + 3])
            let end = offset + 2 + length
            guard mark != startOfScan, length >= 2, end <= file.count else { return nil }
            let content = offset + 4..<end
            if mark == application1, file[content].starts(with: exif) { return content }
            offset = end
        }
        return nil
    }
}
