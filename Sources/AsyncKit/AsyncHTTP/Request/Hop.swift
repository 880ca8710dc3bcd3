/// One exchange with one server, checked and ready to be sent; a redirect leads to another hop.
struct Hop: Sendable {
    var method: String
    var url: WebURL
    var fields: HTTPFields
    let maximumBodySize: Int
    let interface: String?

    init(_ request: HTTPRequest, maximumBodySize: Int) throws(HTTPClient.Error) {
        method = request.method
        url = try WebURL(request.url)
        fields = request.headerFields
        self.maximumBodySize = max(0, request.maximumBodySize ?? maximumBodySize)
        interface = request.interface
        try check()
    }

    /// Whether the body is wanted as the server coded it.
    var takesCodedBody: Bool { fields["Accept-Encoding"] != nil }

    /// The lines to send; libcurl wants a field without a value to end in a semicolon, CURLOPT_HTTPHEADER(3).
    var lines: [String] {
        var lines = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if !takesCodedBody { lines.append("Accept-Encoding: \(ContentCoding.accepted)") }
        if ["POST", "PUT", "PATCH"].contains(method) { lines.append("Content-Length: 0") }
        return lines
    }
}

extension Hop {
    private func check() throws(HTTPClient.Error) {
        guard method.isToken else { throw .invalidRequest("the method “\(method)” is no token") }
        guard method != "CONNECT" else { throw .invalidRequest("CONNECT is not sent by this client") }
        for field in fields {
            guard field.name.isToken else {
                throw .invalidRequest("the field name “\(field.name)” is no token")
            }
            guard field.value.isFieldValue else {
                throw .invalidRequest("the value of \(field.name) holds a control character")
            }
        }
        guard interface?.isInterfaceName != false else {
            throw .invalidRequest("the interface is no name such as eth0")
        }
        for name in ["Content-Length", "Transfer-Encoding"] where fields[name] != nil {
            throw .invalidRequest("\(name) is written by the client itself")
        }
    }
}

extension String {
    /// RFC 9110 §5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty && utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// RFC 9110 §5.5: no control character but the tab, so that no value can start a line of its own.
    fileprivate var isFieldValue: Bool {
        utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}

extension String {
    /// What Linux takes: up to 15 bytes, of which none is a slash, a colon or white space.
    ///
    /// The colon of an alias such as `eth0:1` would make libcurl look for an address instead.
    fileprivate var isInterfaceName: Bool {
        (1..<16).contains(utf8.count) && self != "." && self != ".."
            && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/:".utf8.contains($0) }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return letters.contains(lowercasedASCII) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
