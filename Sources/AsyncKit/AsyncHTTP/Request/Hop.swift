/// One exchange with one server, checked and ready to be sent; a redirect leads to another hop.
struct Hop: Sendable {
    var method: String
    var url: WebURL
    var fields: HTTPFields
    var body: HTTPRequest.Body?
    /// The places that led here, each as a request that would be the same.
    var trail: Set<Step> = []
    let request: HTTPRequest
    let rules: Rules

    init(_ request: HTTPRequest, _ rules: Rules) throws(HTTPClient.Error) {
        method = request.method
        do {
            url = try WebURL(request.url)
        } catch .invalidURL(let text) {
            throw .invalidURL(rules.showsWholeURLs ? request.url : text)
        } catch {
            throw error
        }
        fields = request.headerFields
        body = request.body
        self.request = request
        self.rules = rules
        try check()
    }

    /// The largest body to accept.
    var maximumBodySize: Int { max(0, request.maximumBodySize ?? rules.maximumBodySize) }

    var connectTimeout: Duration { request.connectTimeout ?? rules.connectTimeout }

    /// Whether the body is wanted as the server coded it.
    var takesCodedBody: Bool { fields["Accept-Encoding"] != nil }

    /// The lines to send beside those of the body; libcurl wants a field without a value to end in a semicolon,
    /// CURLOPT_HTTPHEADER(3).
    var lines: [String] {
        var lines = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if !takesCodedBody { lines.append("Accept-Encoding: \(ContentCoding.accepted)") }
        return lines
    }
}

extension Hop {
    /// What holds for every request of a client.
    struct Rules: Sendable {
        var maximumBodySize: Int
        var connectTimeout: Duration
        var maximumRedirects: Int
        var showsWholeURLs: Bool
        /// Whether a proxy was named that would undo the refusal of private addresses.
        var hasForbiddenProxy: Bool

        init(_ configuration: HTTPClient.Configuration) {
            maximumBodySize = configuration.maximumBodySize
            connectTimeout = configuration.connectTimeout
            maximumRedirects = max(0, configuration.maximumRedirects)
            showsWholeURLs = configuration.showsWholeURLsInErrors
            let namesProxy = if case .url = configuration.proxy { true } else { false }
            hasForbiddenProxy = namesProxy && !configuration.allowsPrivateAddresses
        }
    }

    /// What makes two hops the same.
    struct Step: Hashable {
        var method: String
        var url: String
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
        guard body == nil || !["HEAD", "TRACE"].contains(method) else {
            throw .invalidRequest("\(method) is sent without a body")
        }
        guard request.interface?.isInterfaceName != false else {
            throw .invalidRequest("the interface is no name such as eth0")
        }
        if rules.hasForbiddenProxy {
            throw .invalidRequest("a proxy resolves names itself, so private addresses can't be refused")
        }
        // libcurl answers 417 by a second request, whose answer can't be told from the first one's.
        guard fields["Expect"] == nil else { throw .invalidRequest("Expect is not sent by this client") }
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
