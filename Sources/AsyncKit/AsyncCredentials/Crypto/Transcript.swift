/// Bytes in which every field is preceded by its length, so that no two lists of fields look alike.
struct Transcript {
    private(set) var bytes: [UInt8] = []

    init(_ purpose: StaticString) {
        bytes.reserveCapacity(192)
        purpose.withUTF8Buffer { append($0) }
    }

    mutating func append(_ field: some Collection<UInt8>) {
        bytes.append(littleEndian: UInt32(field.count))
        bytes.append(contentsOf: field)
    }

    mutating func append(_ number: Int64) {
        bytes.append(littleEndian: UInt32(8))
        bytes.append(littleEndian: number)
    }
}

extension [UInt8] {
    /// As `withUnsafeBytes(_:)`, which does not keep the type of a thrown error.
    func withRawBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try withUnsafeBytes { bytes in
            Swift.Result { () throws(VaultError) in try body(bytes) }
        }.get()
    }

    mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
