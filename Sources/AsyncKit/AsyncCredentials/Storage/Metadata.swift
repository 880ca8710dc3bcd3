/// What is known about an item besides its secret, as it stands in its sealed blob.
///
/// The blob is a list of fields: a number of 16 bits, a length of 32 bits (both little endian), the bytes.
/// Fields with an unknown number are kept and written again, so that a version that knows more loses nothing
/// here.
struct Metadata: Equatable {
    private enum Field {
        static let service: UInt16 = 1
        static let account: UInt16 = 2
        static let created: UInt16 = 3
        static let modified: UInt16 = 4
    }

    var service: String
    var account: String
    var created: Int64
    var modified: Int64
    private var unknown: [UInt8] = []

    init(service: String, account: String, created: Int64, modified: Int64) {
        self.service = service
        self.account = account
        self.created = created
        self.modified = modified
    }

    /// Reads a blob whose authenticity has been checked.
    init(_ blob: UnsafeRawBufferPointer) throws(VaultError) {
        self.init(service: "", account: "", created: 0, modified: 0)
        var rest = blob[...]
        while !rest.isEmpty {
            let start = rest
            guard let number = UInt16(takenFrom: &rest), let length = UInt32(takenFrom: &rest),
                rest.count >= length
            else { throw .tampered }
            var value = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            switch number {
            case Field.service: service = String(decoding: value, as: UTF8.self)
            case Field.account: account = String(decoding: value, as: UTF8.self)
            case Field.created: created = Int64(takenFrom: &value) ?? 0
            case Field.modified: modified = Int64(takenFrom: &value) ?? 0
            default: unknown += start[..<value.endIndex]
            }
        }
    }

    var blob: [UInt8] {
        var blob: [UInt8] = []
        blob.append(Field.service, service.utf8)
        blob.append(Field.account, account.utf8)
        blob.append(Field.created, created)
        blob.append(Field.modified, modified)
        return blob + unknown
    }
}

extension FixedWidthInteger {
    fileprivate init?(takenFrom bytes: inout Slice<UnsafeRawBufferPointer>) {
        let size = Self.bitWidth / 8
        guard bytes.count >= size else { return nil }
        self = bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Self($1) }
        bytes = bytes.dropFirst(size)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ field: UInt16, _ value: String.UTF8View) {
        append(littleEndian: field)
        append(littleEndian: UInt32(value.count))
        append(contentsOf: value)
    }

    fileprivate mutating func append(_ field: UInt16, _ value: Int64) {
        append(littleEndian: field)
        append(littleEndian: UInt32(8))
        append(littleEndian: value)
    }
}
