import CCurl

/// An `http` or `https` URL that was parsed and found good, taken apart as far as the client needs it.
///
/// `text` never holds user info or a fragment, so it can be shown; a query value is still in it.
package struct WebURL: Sendable {
    package struct Credentials: Sendable, Equatable {
        let user: String
        let password: String
    }

    package let text: String
    package let isSecure: Bool
    /// The host's name or address in lower case, an IPv6 address in brackets.
    package let host: String
    /// The host's name or address and its port, also where the URL leaves the port out.
    let authority: String
    package let credentials: Credentials?

    /// Scheme, host and port: what credentials belong to and connections are counted by.
    var origin: String { (isSecure ? "https://" : "http://") + authority }

    /// Parses an absolute URL.
    package init(_ text: String) throws(HTTPClient.Error) {
        if let plain = PlainURL(text) {
            self.init(plain, text)
            return
        }
        try self.init(parsing: text)
    }

    /// By libcurl's parser, which takes several times as long.
    init(parsing text: String) throws(HTTPClient.Error) {
        let parts = URLParts()
        guard parts.set(text) else { throw .invalidURL(text.withoutSecrets) }
        try self.init(parts, from: text)
    }

    /// Resolves a reference, as a `Location` field holds it (RFC 3986 §5).
    func resolving(_ reference: String) throws(HTTPClient.Error) -> WebURL {
        let reference = String(reference.prefix { $0 != "#" })
        // libcurl would drop the query here.
        if reference.isEmpty { return WebURL(self, credentials: nil) }
        let parts = URLParts()
        guard parts.set(text), parts.set(reference) else { throw .invalidURL(reference.withoutSecrets) }
        return try WebURL(parts, from: reference)
    }

    private init(_ parts: URLParts, from source: String) throws(HTTPClient.Error) {
        let scheme = parts.get(CURLUPART_SCHEME)?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        guard let host = parts.get(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            let port = parts.get(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))
        else { throw .invalidURL(source.withoutSecrets) }
        // Most URLs have neither user info nor a fragment, and need not be taken apart for it.
        let hasSecrets = source.utf8.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "#") }
        let user = hasSecrets ? parts.get(CURLUPART_USER, UInt32(CURLU_URLDECODE)) : nil
        let password = hasSecrets ? parts.get(CURLUPART_PASSWORD, UInt32(CURLU_URLDECODE)) : nil
        if hasSecrets { parts.removeSecrets() }
        guard parts.setHost(host), let text = parts.get(CURLUPART_URL) else {
            throw .invalidURL(source.withoutSecrets)
        }
        self.text = text
        isSecure = scheme == "https"
        self.host = host
        authority = "\(host):\(port)"
        credentials = user.map { Credentials(user: $0, password: password ?? "") }
    }

    private init(_ plain: PlainURL, _ text: String) {
        self.text = text
        isSecure = plain.isSecure
        host = plain.host
        authority = "\(plain.host):\(plain.port)"
        credentials = nil
    }

    private init(_ other: WebURL, credentials: Credentials?) {
        text = other.text
        isSecure = other.isSecure
        host = other.host
        authority = other.authority
        self.credentials = credentials
    }

    /// The same place, asked with the given credentials unless it names its own.
    func keeping(_ credentials: Credentials?) -> WebURL {
        WebURL(self, credentials: self.credentials ?? credentials)
    }
}

extension String {
    /// The text of something that should have been a URL, without what may be user info, query or fragment.
    ///
    /// It may be no URL at all, so everything up to the last `@` counts as user info, wherever that is.
    package var withoutSecrets: String {
        let tail = lastIndex(of: "@").map { "…" + self[$0...] } ?? self
        let head = tail.prefix { $0 != "?" && $0 != "#" }
        return head.count == tail.count ? tail : head + "…"
    }
}

/// libcurl's URL parser (libcurl-url(3)), which its transfers use too, so both see the same URL.
private final class URLParts {
    private let handle = curl_url()

    deinit {
        curl_url_cleanup(handle)
    }

    /// Takes an absolute URL, or a reference to be resolved against what is there.
    func set(_ text: String) -> Bool {
        // libcurl would stop at a NUL and take what is before it.
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return false }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
        return curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK
    }

    func get(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    func removeSecrets() {
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            curl_url_set(handle, part, nil, 0)
        }
    }

    /// Writes the host, unless it is written so already.
    func setHost(_ host: String) -> Bool {
        get(CURLUPART_HOST) == host || curl_url_set(handle, CURLUPART_HOST, host, 0) == CURLUE_OK
    }
}
