/// The names of the chunks that matter here, as the number their four letters make.
enum PNGChunk {
    static let header = 0x4948_4452  // IHDR
    static let data = 0x4944_4154  // IDAT
    static let end = 0x4945_4E44  // IEND

    /// The room of a chunk apart from its content: length, name and checksum.
    private static let frame = 12

    /// Walks the chunks to the end mark and counts the compressed bytes of the picture.
    ///
    /// libpng stops reading after the last row, so without this walk a file that lost its tail would pass.
    static func compressedLength(in bytes: [UInt8]) throws(Image.Error) -> Int {
        var offset = PNGHeader.signature.count
        var total = 0
        while bytes.count - offset >= frame {
            let (length, name) = (bytes.bigEndian(at: offset), bytes.bigEndian(at: offset + 4))
            guard length <= bytes.count - offset - frame else { break }
            if name == end { return total }
            if name == data { total += length }
            offset += length + frame
        }
        throw .png("ends before its end mark")
    }
}
