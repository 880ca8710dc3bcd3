// The standard library keeps its normalisation behind this SPI (the Swift project's own Foundation imports it
// too). `precomposedStringWithCanonicalMapping` is no substitute on Linux: it composes U+10041 U+0301 to
// U+00C1, so that two different names would become one item.
@_spi(_Unicode) import Swift

extension String {
    /// UTF-8 of the text in Unicode normal form C: equal for spellings that Swift calls equal; UAX #15.
    var normalFormC: [UInt8] {
        if utf8.allSatisfy({ $0 < 0x80 }) { return [UInt8](utf8) }
        return [UInt8](String(String.UnicodeScalarView(_nfc)).utf8)
    }
}
