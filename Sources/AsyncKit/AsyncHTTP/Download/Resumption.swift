/// How much of a body is there, and how to ask for the rest: a state machine without effects.
struct Resumption {
    private(set) var received = 0
    /// The size of the whole, where it is known.
    private(set) var total: Int?
    /// The status of the answer that was taken last.
    private(set) var status = 0
    /// The header fields and the URL of the answer that the body begins with.
    private(set) var headerFields = HTTPFields()
    private(set) var url = ""

    private let isResumable: Bool
    private let limit: Int
    private var validator: String?
    /// Where the part under way ends, as far as it was said.
    private var end: Int?
    private var triesLeft: Int
    private var hasStartedOver = false

    /// Nothing is there yet.
    ///
    /// - Parameters:
    ///   - isResumable: Whether the request may be sent again.
    ///   - limit: The most bytes to take.
    ///   - tries: How often to ask for the rest.
    init(isResumable: Bool, limit: Int, tries: Int) {
        self.isResumable = isResumable
        self.limit = limit
        triesLeft = tries
    }

    /// The fields that ask for the rest, and only of the same representation (RFC 9110 §13.1.5, §14.2).
    var rangeFields: HTTPFields {
        guard received > 0, let validator else { return [:] }
        return ["Range": "bytes=\(received)-", "If-Range": validator]
    }

    /// Takes the header of an answer; false when the request must be sent again, for all of the body.
    mutating func take(_ response: HTTPResponse) throws(HTTPClient.Error) -> Bool {
        let asksForRest = !rangeFields.isEmpty
        switch response.status {
        case 200:
            begin(response)
            return true
        case 206 where asksForRest:
            return try goOn(response)
        case 416 where asksForRest && !hasStartedOver:
            startOver()
            return false
        default:
            throw .unsuccessful(status: response.status)
        }
    }

    /// Takes so many more bytes of the body, and tells where in the file they belong.
    mutating func add(_ count: Int) throws(HTTPClient.Error) -> Int {
        guard count <= limit - received else { throw .tooLarge(.body, limit: limit) }
        guard end.map({ count <= $0 - received }) ?? true else {
            throw .malformedResponse("it sends more than its Content-Range says")
        }
        defer { received += count }
        return received
    }

    /// Ends the body.
    mutating func finish() throws(HTTPClient.Error) {
        guard received == total ?? received else { throw .truncatedBody }
        total = received
    }

    /// Whether to ask for the rest after an error; it counts as a try.
    mutating func mayGoOn(after error: HTTPClient.Error) -> Bool {
        guard validator != nil, triesLeft > 0, error.isLossOfConnection else { return false }
        triesLeft -= 1
        return true
    }
}

extension Resumption {
    private mutating func begin(_ response: HTTPResponse) {
        status = response.status
        headerFields = response.headerFields
        url = response.url
        received = 0
        validator = isResumable ? Self.validator(in: headerFields) : nil
        // A body in chunks has no other length (RFC 9112 §6.3).
        let length = headerFields["Transfer-Encoding"] == nil ? headerFields["Content-Length"] : nil
        total = length.flatMap { Int($0) }
        end = total
    }

    private mutating func goOn(_ response: HTTPResponse) throws(HTTPClient.Error) -> Bool {
        let range = response.headerFields["Content-Range"].flatMap { ContentRange($0) }
        guard let range, range.first == received, let whole = range.total ?? total else {
            throw .malformedResponse("it sends another part than it was asked for")
        }
        guard whole == total ?? whole, isSameRepresentation(response) else {
            guard !hasStartedOver else { throw .malformedResponse("it sends a part of something else") }
            startOver()
            return false
        }
        status = response.status
        total = whole
        end = range.last + 1
        return true
    }

    /// A tag belongs to one URL; the one behind a redirect may have changed meanwhile.
    private func isSameRepresentation(_ response: HTTPResponse) -> Bool {
        let fields = response.headerFields
        return response.url == url && fields["Content-Encoding"] == nil
            && (fields["ETag"] ?? validator) == validator
    }

    private mutating func startOver() {
        hasStartedOver = true
        received = 0
        validator = nil
    }

    /// The strong tag of a body whose parts can be asked for (RFC 9110 §8.8.3, §14.3).
    private static func validator(in fields: HTTPFields) -> String? {
        guard fields["Content-Encoding"] == nil, fields["Accept-Ranges"]?.lowercased() != "none" else {
            return nil
        }
        return fields["ETag"].flatMap { $0.isStrongTag ? $0 : nil }
    }
}

extension String {
    /// One tag in quotes, without the `W/` of a weak one.
    fileprivate var isStrongTag: Bool {
        let quote = UInt8(ascii: "\"")
        return utf8.count > 1 && utf8.first == quote && utf8.last == quote
            && !utf8.dropFirst().dropLast().contains(quote)
    }
}

extension HTTPClient.Error {
    fileprivate var isLossOfConnection: Bool {
        switch self {
        case .truncatedBody, .connectionLost, .refused, .unreachable, .nameNotResolved: true
        case .timedOut(.connect, _): true
        default: false
        }
    }
}
