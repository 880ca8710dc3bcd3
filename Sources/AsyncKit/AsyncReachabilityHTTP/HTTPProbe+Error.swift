internal import AsyncHTTP

extension HTTPProbe {
    /// Why a probe can't be made; no text here shows user info or a query.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The list of URLs is empty.
        case noURL
        /// The text is no absolute URL with a host.
        case invalidURL(String)
        /// The URL is not one of plain HTTP, which alone a portal can answer.
        case notHTTP(String)
        /// The URL has user info, which everybody on the way could read.
        case userInfo(String)
        /// The expectation says nothing or can't be met; the text says why.
        case invalidExpectation(String)
    }
}

extension HTTPProbe.Error: CustomStringConvertible {
    /// One plain sentence that says what to do.
    public var description: String {
        switch self {
        case .noURL:
            "Give at least one URL to ask."
        case .invalidURL(let url):
            "Give an absolute http URL with a host instead of “\(url)”."
        case .notHTTP(let url):
            "Give an http URL instead of “\(url)”: a portal can't answer in place of any other server."
        case .userInfo(let url):
            "Leave user info out of “\(url)”: it would be sent where everybody can read it."
        case .invalidExpectation(let reason):
            "Expect something else: \(reason)."
        }
    }
}

extension HTTPProbe {
    static func places(_ urls: [String]) throws(Error) -> [WebURL] {
        guard !urls.isEmpty else { throw .noURL }
        var places: [WebURL] = []
        for url in urls { places.append(try place(url)) }
        return places
    }

    private static func place(_ url: String) throws(Error) -> WebURL {
        let shown = url.withoutSecrets
        let place: WebURL
        do {
            place = try WebURL(url)
        } catch {
            if case .unsupportedScheme = error { throw .notHTTP(shown) }
            throw .invalidURL(shown)
        }
        guard !place.isSecure else { throw .notHTTP(shown) }
        guard place.credentials == nil else { throw .userInfo(shown) }
        return place
    }
}
