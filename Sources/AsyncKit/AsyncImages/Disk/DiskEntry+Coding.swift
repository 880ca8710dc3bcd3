import AsyncHTTP
import CDeflate

/// The form of an entry on disk, in numbers of little-endian order:
///
///     4 bytes  "AKIC"            4 bytes  version, 1
///     4 bytes  length of the description     4 bytes  CRC-32 of the description
///     8 bytes  length of the body            4 bytes  CRC-32 of the body
///     4 bytes  CRC-32 of the 28 bytes before
///     the description: name, status, request time, response time, count of header fields, names and values
///     the body
///
/// Texts are a 32-bit length and UTF-8. Anything that does not fit this to the last byte is no entry.
extension DiskEntry {
    private static let magic: [UInt8] = Array("AKIC".utf8)
    private static let version: UInt32 = 1
    private static let headLength = 32

    /// Seconds since 1970 that can be calculated with: to the year 9999.
    private static let times = 0...253_402_300_799 as ClosedRange<UInt64>

    /// More header fields than any client accepts are no entry.
    private static let maximumFields: UInt32 = 10_000

    /// The bytes of the file.
    var encoded: [UInt8] {
        var description = ByteWriter()
        description.append(name)
        description.append(UInt64(bitPattern: Int64(response.status)))
        description.append(UInt64(bitPattern: Int64(response.requestTime)))
        description.append(UInt64(bitPattern: Int64(response.responseTime)))
        let fields = Array(response.headerFields)
        description.append(UInt32(fields.count))
        for field in fields {
            description.append(field.name)
            description.append(field.value)
        }
        return head(description.bytes) + description.bytes + body
    }

    private func head(_ description: [UInt8]) -> [UInt8] {
        var head = ByteWriter()
        head.bytes = Self.magic
        head.append(Self.version)
        head.append(UInt32(description.count))
        head.append(Self.checksum(description[...]))
        head.append(UInt64(body.count))
        head.append(Self.checksum(body[...]))
        head.append(Self.checksum(head.bytes[...]))
        return head.bytes
    }

    /// Reads a file; nil when any byte of it is not as it was written.
    init?(decoding file: [UInt8]) {
        guard file.count >= Self.headLength, file.starts(with: Self.magic) else { return nil }
        var head = ByteReader(file[4..<Self.headLength])
        guard head.number(UInt32.self) == Self.version,
            let length = head.number(UInt32.self), let descriptionChecksum = head.number(UInt32.self),
            let bodyLength = head.number(UInt64.self), let bodyChecksum = head.number(UInt32.self),
            head.number(UInt32.self) == Self.checksum(file[..<(Self.headLength - 4)])
        else { return nil }
        let rest = file.count - Self.headLength
        guard Int(length) <= rest, bodyLength == UInt64(rest - Int(length)) else { return nil }
        let start = Self.headLength + Int(length)
        let description = file[Self.headLength..<start]
        guard Self.checksum(description) == descriptionChecksum, Self.checksum(file[start...]) == bodyChecksum
        else {
            return nil
        }
        self.init(ByteReader(description), body: Array(file[start...]))
    }

    private init?(_ description: ByteReader, body: [UInt8]) {
        var reader = description
        guard let name = reader.text(),
            let status = reader.number(UInt64.self), let requestTime = reader.number(UInt64.self),
            let responseTime = reader.number(UInt64.self),
            let count = reader.number(UInt32.self), count <= Self.maximumFields
        else { return nil }
        var fields = HTTPFields()
        for _ in 0..<count {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            fields.append(name, value)
        }
        guard reader.isAtEnd, Self.times.contains(requestTime), Self.times.contains(responseTime) else {
            return nil
        }
        let response = StoredResponse(
            status: Int(Int64(bitPattern: status)),
            headerFields: fields,
            requestTime: Int(Int64(bitPattern: requestTime)),
            responseTime: Int(Int64(bitPattern: responseTime))
        )
        self.init(name: name, response: response, body: body)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }
}
