import AsyncImages
import AsyncPrimitives

/// PNG, counting decodes and doing something before each.
struct CountingCodec: ImageCodec {
    private let decodes = Counter()
    private let before: @Sendable () -> Void

    init(before: @escaping @Sendable () -> Void = {}) {
        self.before = before
    }

    var count: Int { decodes.value }
    var format: ImageFormat { PNGCodec().format }
    var contentTypes: [String] { PNGCodec().contentTypes }

    func sniff(_ bytes: [UInt8]) -> Bool { PNGCodec().sniff(bytes) }

    func probe(_ bytes: [UInt8]) throws(Image.Error) -> ImageHeader { try PNGCodec().probe(bytes) }

    func decode(_ bytes: [UInt8], _ decoding: ImageDecoding) throws(Image.Error) -> Image {
        decodes.increment()
        before()
        return try PNGCodec().decode(bytes, decoding)
    }

    func encode(_ image: Image, quality: Int) throws(Image.Error) -> [UInt8] {
        try PNGCodec().encode(image, quality: quality)
    }
}

final class Counter: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func increment() {
        count.withLock { $0 += 1 }
    }
}
