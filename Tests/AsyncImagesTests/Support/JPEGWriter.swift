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

    private struct Failure: Error {}
}
