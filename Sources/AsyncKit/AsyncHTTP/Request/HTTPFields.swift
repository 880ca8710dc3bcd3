/// The header fields of a request or a response, in the order they were written.
///
/// Names are looked up without regard to ASCII case (RFC 9110 §5.1) and kept as they were spelled. A field that
/// occurs several times keeps all its lines. Two values are equal when they hold the same lines in the same order,
/// names compared without case.
///
/// ```swift
/// var fields: HTTPFields = ["Accept": "image/png", "Accept-Language": "de"]
/// fields["accept"]                      // "image/png"
/// fields.append("If-None-Match", "\"v1\"")
/// ```
///
/// A lookup reads every line: there are few.
public struct HTTPFields: Sendable, Hashable {
    /// One line of a header: a name and its value.
    public struct Field: Sendable {
        /// The name, as it was spelled.
        public let name: String
        /// The value, without the white space around it.
        public let value: String

        /// Creates a line; it is checked when the request that holds it is sent.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field]

    /// Creates an empty list.
    public init() {
        fields = []
    }

    /// Creates a list of these lines.
    public init(_ fields: some Sequence<Field>) {
        self.fields = Array(fields)
    }

    /// The value of the field with this name; setting it replaces all lines of that name, `nil` removes them.
    ///
    /// Several lines of one name are joined by a comma and a space, which means the same for every field that is
    /// defined as a list (RFC 9110 §5.3). For one that is not, such as `Set-Cookie`, use ``values(of:)``.
    public subscript(name: String) -> String? {
        get {
            var value: String?
            for field in fields where field.name.isSameFieldName(as: name) {
                value = value.map { "\($0), \(field.value)" } ?? field.value
            }
            return value
        }
        set {
            let place = fields.firstIndex { $0.name.isSameFieldName(as: name) } ?? fields.endIndex
            removeAll(named: name)
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: place)
        }
    }

    /// Returns the values of all lines with this name, in order; empty when there is none.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }

    /// Adds a line at the end, beside any that have the same name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Removes every line with this name.
    public mutating func removeAll(named name: String) {
        fields.removeAll { $0.name.isSameFieldName(as: name) }
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Creates a list of the lines in a literal such as `["Accept": "image/png"]`; a repeated name is kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The position of the first line, always 0.
    public var startIndex: Int { fields.startIndex }

    /// The number of lines.
    public var endIndex: Int { fields.endIndex }

    /// The line at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPFields.Field: Hashable {
    /// Compares names without regard to ASCII case, and values exactly.
    public static func == (first: Self, second: Self) -> Bool {
        first.name.isSameFieldName(as: second.name) && first.value == second.value
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte.lowercasedASCII) }
        hasher.combine(value)
    }
}

extension String {
    func isSameFieldName(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var others = other.utf8.makeIterator()
        for byte in utf8 {
            guard let other = others.next(), byte.lowercasedASCII == other.lowercasedASCII else {
                return false
            }
        }
        return true
    }
}

extension UInt8 {
    var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
