import CPNG

// `png_image` is libpng's simplified API: its functions return 0 on an error, which they catch inside, so that no
// longjmp ever crosses a Swift frame. A failed call frees what it took; one that was not finished needs a free.
extension PNGCodec {
    static func read(_ bytes: [UInt8], _ header: PNGHeader) throws(Image.Error) -> Image {
        var control = png_image()
        control.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&control) }
        guard let samples = bytes.withUnsafeBytes({ samples(of: $0, header, &control) }) else {
            throw .png(control.text)
        }
        return try Image(width: header.width, height: header.height, pixels: samples)
    }

    private static func samples(
        of file: UnsafeRawBufferPointer,
        _ header: PNGHeader,
        _ control: inout png_image
    ) -> [UInt8]? {
        guard png_image_begin_read_from_memory(&control, file.baseAddress, file.count) != 0,
            control.width == header.width, control.height == header.height
        else { return nil }
        control.format = asynckit_png_rgba
        control.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        let capacity = header.width * header.height * Image.bytesPerPixel
        var isRead = false
        let samples = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            isRead = png_image_finish_read(&control, nil, buffer.baseAddress, 0, nil) != 0
            count = isRead ? capacity : 0
        }
        return isRead ? samples : nil
    }

    static func write(_ image: Image) throws(Image.Error) -> [UInt8] {
        var control = png_image()
        control.version = png_uint_32(PNG_IMAGE_VERSION)
        control.width = png_uint_32(image.width)
        control.height = png_uint_32(image.height)
        control.format = asynckit_png_rgba
        defer { png_image_free(&control) }
        var size = asynckit_png_maximum_size(control)
        let file = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { file.deallocate() }
        let status = image.withPixels { pixels in
            pixels.withUnsafeBytes { bytes in
                png_image_write_to_memory(&control, file.baseAddress, &size, 0, bytes.baseAddress, 0, nil)
            }
        }
        guard status != 0 else { throw .unencodable(.png, reason: control.text) }
        return [UInt8](file.prefix(size))
    }
}

extension png_image {
    /// The library's message about the last error.
    fileprivate var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
