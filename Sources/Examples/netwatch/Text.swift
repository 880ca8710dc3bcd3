extension String {
    /// The text with a question mark for whatever is not sure to be one column wide.
    ///
    /// The kernel lets almost any byte into the name of an interface, and a name with control characters must not
    /// get to a terminal.
    var printable: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: unicodeScalars.map { $0.isOneColumn ? $0 : "?" })
        return String(text)
    }

    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text, or its beginning and an ellipsis when it has more characters than the limit.
    func clipped(to width: Int) -> String {
        count <= width ? self : String(prefix(max(0, width - 1))) + (width > 0 ? "…" : "")
    }
}

extension Unicode.Scalar {
    fileprivate var isOneColumn: Bool {
        (0x20..<0x7f).contains(value) || ((0xa1..<0x300).contains(value) && value != 0xad)
    }
}
