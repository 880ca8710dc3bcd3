/// Writes numbers and texts one after the other.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        append(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// Reads numbers and texts; nil where there are not enough bytes.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        let number = rest.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
        rest = rest.dropFirst(size)
        return Number(littleEndian: number)
    }

    /// A text of valid UTF-8.
    mutating func text() -> String? {
        guard let length = number(UInt32.self), rest.count >= Int(length) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return String(validating: rest.prefix(Int(length)), as: UTF8.self)
    }
}
