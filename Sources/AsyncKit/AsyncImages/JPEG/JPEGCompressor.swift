import CTurboJPEG

/// One TurboJPEG compressor, destroyed when the value goes out of scope.
struct JPEGCompressor: ~Copyable {
    private let handle: tjhandle

    init() throws(Image.Error) {
        guard let handle = tjInitCompress() else { throw .unencodable(.jpeg, reason: "no memory to encode") }
        self.handle = handle
    }

    deinit {
        tjDestroy(handle)
    }

    func write(_ image: Image, quality: Int) throws(Image.Error) -> [UInt8] {
        let (width, height) = (Int32(image.width), Int32(image.height))
        let capacity = tjBufSize(width, height, Int32(TJSAMP_420.rawValue))
        let file = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Int(capacity))
        defer { file.deallocate() }
        var start = file.baseAddress
        var size = capacity
        let status = image.overWhite { pixels in
            tjCompress2(
                handle,
                pixels.baseAddress,
                width,
                0,
                height,
                Int32(TJPF_RGBX.rawValue),
                &start,
                &size,
                Int32(TJSAMP_420.rawValue),
                Int32(quality),
                TJFLAG_NOREALLOC
            )
        }
        guard status == 0 else {
            throw .unencodable(.jpeg, reason: String(cString: tjGetErrorStr2(handle)))
        }
        return [UInt8](file.prefix(Int(size)))
    }
}

extension Image {
    /// Lends RGBX bytes of the picture as it looks on white; copies only when something is transparent.
    fileprivate func overWhite<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withPixels { pixels in
            pixels.withUnsafeBufferPointer { source in
                let alphas = stride(from: 3, to: source.count, by: Self.bytesPerPixel)
                if alphas.allSatisfy({ source[$0] == 255 }) { return body(source) }
                var flat = [UInt8](source)
                for alpha in alphas { Self.flatten(&flat, alpha: alpha) }
                return flat.withUnsafeBufferPointer(body)
            }
        }
    }

    private static func flatten(_ samples: inout [UInt8], alpha: Int) {
        let opacity = Int(samples[alpha])
        for sample in alpha - 3..<alpha {
            samples[sample] = UInt8((Int(samples[sample]) * opacity + 255 * (255 - opacity) + 127) / 255)
        }
    }
}
