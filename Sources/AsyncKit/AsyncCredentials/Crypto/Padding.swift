import CSodium

/// Padding that hides lengths: to 64 bytes, from 1 KiB on to a sixteenth of the size, with at least one byte.
///
/// One byte 0x80, then zeros (ISO/IEC 7816-4).
enum Padding {
    /// The size of the bucket that `count` bytes go into.
    static func size(for count: Int) -> Int {
        let block = blockSize(for: count)
        return (count / block + 1) * block
    }

    /// Writes the padding after the content.
    static func fill(_ memory: UnsafeMutableRawBufferPointer, after count: Int) {
        var padded = 0
        let status = sodium_pad(&padded, memory.bytes, count, blockSize(for: count), memory.count)
        precondition(status == 0 && padded == memory.count, "Padded memory must have the bucket's size.")
    }

    /// The size of the content, whose authenticity has been checked.
    static func contentSize(of memory: UnsafeRawBufferPointer) throws(VaultError) -> Int {
        var count = 0
        guard memory.count >= 64,
            sodium_unpad(&count, memory.bytes, memory.count, blockSize(for: memory.count)) == 0
        else { throw .tampered }
        return count
    }

    private static func blockSize(for count: Int) -> Int {
        count < 1024 ? 64 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount - 4)
    }
}
