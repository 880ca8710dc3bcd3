/// A URL that is written as libcurl's parser would write it, which most are, taken apart without that parser.
///
/// Everything it is not sure of is left to the parser: capital letters in scheme or host, user info, percent signs,
/// fragments, dot segments, addresses in any form but four plain numbers.
struct PlainURL {
    let isSecure: Bool
    let host: String
    /// Also where the URL leaves it out.
    let port: Int

    init?(_ text: String) {
        let parsed = text.utf8.withContiguousStorageIfAvailable { bytes in PlainURL(bytes) }
        guard let plain = parsed ?? nil else { return nil }
        self = plain
    }

    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Longer ones are rare, and libcurl has a limit of its own.
        guard bytes.count < 8_000, let start = Self.endOfScheme(bytes) else { return nil }
        isSecure = bytes[4] == UInt8(ascii: "s")
        let end = bytes[start...].firstIndex { !$0.isPlainHostByte } ?? bytes.endIndex
        guard Self.isPlainHost(bytes[start..<end]) else { return nil }
        host = String(decoding: bytes[start..<end], as: UTF8.self)
        var place = end
        if place < bytes.endIndex, bytes[place] == UInt8(ascii: ":") {
            guard let number = Self.takePort(bytes, &place) else { return nil }
            port = number
        } else {
            port = isSecure ? 443 : 80
        }
        guard Self.isPlainPath(bytes[place...]) else { return nil }
    }

    private static func endOfScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] as [StaticString]
        where bytes.count > scheme.utf8CodeUnitCount {
            let start = UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)
            if bytes.prefix(start.count).elementsEqual(start) { return start.count }
        }
        return nil
    }

    /// A name begins with a letter; what begins with a digit may be an address in one of many spellings.
    private static func isPlainHost(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = host.first else { return false }
        if first.isSmallLetter { return true }
        let numbers = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { value(of: $0, to: 255) != nil }
    }

    /// A number without a leading zero.
    private static func value(of digits: Slice<UnsafeBufferPointer<UInt8>>, to limit: Int) -> Int? {
        guard (1...5).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            return nil
        }
        var value = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value <= limit ? value : nil
    }

    private static func takePort(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Int? {
        let start = place + 1
        place = bytes[start...].firstIndex { !$0.isDigit } ?? bytes.endIndex
        return value(of: bytes[start..<place], to: 65_535).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func isPlainPath(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // The parser drops an empty query.
        guard path.first == UInt8(ascii: "/"), path.last != UInt8(ascii: "?") else { return false }
        var previous: UInt8 = 0
        for byte in path {
            guard byte.isPlainPathByte, previous != UInt8(ascii: "/") || byte != UInt8(ascii: ".") else {
                return false
            }
            previous = byte
        }
        return true
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    fileprivate var isSmallLetter: Bool { self &- UInt8(ascii: "a") < 26 }

    fileprivate var isPlainHostByte: Bool {
        isSmallLetter || isDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
    }

    fileprivate var isPlainPathByte: Bool {
        if (self | 0x20).isSmallLetter || isDigit { return true }
        switch self {
        case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: ","):
            return true
        default:
            return false
        }
    }
}
