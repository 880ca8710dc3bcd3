import CTurboJPEG

/// One TurboJPEG decompressor, destroyed when the value goes out of scope.
///
/// The library catches libjpeg's errors inside, so no longjmp crosses a Swift frame.
struct JPEGDecompressor: ~Copyable {
    struct Header {
        let image: ImageHeader
        let isFourColor: Bool
    }

    private let handle: tjhandle

    init() throws(Image.Error) {
        guard let handle = tjInitDecompress() else { throw .damaged(.jpeg, reason: "no memory to decode") }
        self.handle = handle
    }

    deinit {
        tjDestroy(handle)
    }

    /// The size and colour space.
    ///
    /// The library fills these in before it complains about an unusual subsampling, which decodes all the same. So
    /// sound numbers count and its result does not.
    func readHeader(of bytes: [UInt8]) throws(Image.Error) -> Header {
        var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
        bytes.withUnsafeBufferPointer { file in
            _ = tjDecompressHeader3(
                handle,
                file.baseAddress,
                UInt(file.count),
                &width,
                &height,
                &subsampling,
                &colorspace
            )
        }
        guard width > 0, height > 0 else { throw .damaged(.jpeg, reason: reason) }
        return Header(
            image: ImageHeader(format: .jpeg, width: Int(width), height: Int(height)),
            isFourColor: colorspace == Int32(TJCS_CMYK.rawValue) || colorspace == Int32(TJCS_YCCK.rawValue)
        )
    }

    /// The picture as it is stored; with `acceptsPart` what could be read of a damaged one, the rest grey.
    func readImage(
        from bytes: [UInt8],
        _ header: Header,
        acceptsPart: Bool
    ) throws(Image.Error) -> Image {
        let (width, height) = (header.image.width, header.image.height)
        let capacity = width * height * Image.bytesPerPixel
        var outcome = Outcome.failed
        let samples = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            outcome = read(bytes, header, acceptsPart ? 0 : TJFLAG_STOPONWARNING, into: buffer)
            count = outcome == .failed ? 0 : capacity
        }
        guard outcome != .failed else { throw .damaged(.jpeg, reason: reason) }
        var image = try Image(width: width, height: height, pixels: samples)
        image.isPartial = outcome == .part
        return image
    }

    private enum Outcome {
        case whole
        case part
        case failed
    }

    private func read(
        _ bytes: [UInt8],
        _ header: Header,
        _ flags: Int32,
        into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Outcome {
        // What a warning leaves out stays as it is, so it must be something.
        if flags == 0 { pixels.initialize(repeating: 0) }
        let format = header.isFourColor ? TJPF_CMYK : TJPF_RGBA
        let status = bytes.withUnsafeBufferPointer { file in
            tjDecompress2(
                handle,
                file.baseAddress,
                UInt(file.count),
                pixels.baseAddress,
                Int32(header.image.width),
                0,
                Int32(header.image.height),
                format.rawValue,
                flags | TJFLAG_LIMITSCANS
            )
        }
        let isWarning = tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        guard status == 0 || (flags == 0 && isWarning) else { return .failed }
        if header.isFourColor { Self.convertInvertedCMYK(pixels) }
        return status == 0 ? .whole : .part
    }

    /// Turns inverted CMYK into RGBA in place: an inverted ink is a light, dimmed by the inverted black.
    private static func convertInvertedCMYK(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        for start in stride(from: 0, to: pixels.count, by: Image.bytesPerPixel) {
            let black = Int(pixels[start + 3])
            for sample in start..<start + 3 {
                pixels[sample] = UInt8((Int(pixels[sample]) * black + 127) / 255)
            }
            pixels[start + 3] = 255
        }
    }

    private var reason: String { String(cString: tjGetErrorStr2(handle)) }
}
