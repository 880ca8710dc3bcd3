import AsyncImages
import CTurboJPEG

/// Writes the kinds of JPEG that the library itself does not: other subsamplings, progressive, four colours.
enum JPEGWriter {
    static func file(
        _ pixel: [UInt8],
        side: Int = 16,
        pixelFormat: TJPF,
        subsampling: TJSAMP = TJSAMP_444,
        flags: Int32 = 0
    ) throws -> [UInt8] {
        guard let handle = tjInitCompress() else { throw Failure() }
        defer { tjDestroy(handle) }
        let pixels = Array(repeatElement(pixel, count: side * side).joined())
        var start: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        defer { tjFree(start) }
        let status = tjCompress2(
            handle,
            pixels,
            Int32(side),
            0,
            Int32(side),
            Int32(pixelFormat.rawValue),
            &start,
            &size,
            Int32(subsampling.rawValue),
            100,
            flags
        )
        guard status == 0 else { throw Failure() }
        return [UInt8](UnsafeBufferPointer(start: start, count: Int(size)))
    }

    /// The file with other numbers in its frame header.
    static func resized(_ file: [UInt8], width: UInt16, height: UInt16) throws -> [UInt8] {
        var file = file
        let isFrame: (Int) -> Bool = { file[$0] == 0xFF && file[$0 + 1] == 0xC0 }
        guard let frame = file.indices.dropLast().first(where: isFrame) else { throw Failure() }
        let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        file.replaceSubrange(frame + 5..<frame + 9, with: sides)
        return file
    }

    private struct Failure: Error {}
}
