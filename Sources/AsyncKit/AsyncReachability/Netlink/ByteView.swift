internal import Glibc

/// A window on bytes that came from outside: a read past its end is `nil`, never a trap.
struct ByteView {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    private init(slice: ArraySlice<UInt8>) {
        bytes = slice
    }

    var count: Int { bytes.count }
    var array: [UInt8] { Array(bytes) }

    /// An integer in the byte order of this machine, as netlink has them.
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int = 0,
        as type: Value.Type = Value.self
    ) -> Value? {
        guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    /// The bytes from `offset` to `end`; `nil` unless both lie inside, in this order.
    func view(from offset: Int, to end: Int) -> ByteView? {
        guard offset >= 0, offset <= end, end <= count else { return nil }
        return ByteView(slice: bytes[(bytes.startIndex + offset)..<(bytes.startIndex + end)])
    }

    /// What lies behind the first `offset` bytes; `nil` when there are fewer.
    func view(from offset: Int) -> ByteView? {
        view(from: offset, to: count)
    }

    /// The text before the first NUL; bytes that are not UTF-8 are replaced.
    var text: String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends an integer in the byte order of this machine.
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer) { append(contentsOf: $0) }
    }

    /// Fills up to the next multiple of four (`NLMSG_ALIGN`, `RTA_ALIGN`).
    mutating func pad() {
        while count % 4 != 0 { append(0) }
    }
}
