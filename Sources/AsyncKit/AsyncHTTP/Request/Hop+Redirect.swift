extension Hop {
    /// The fields that belong to one origin and are not told to another.
    private static let credentialFields = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]

    /// Where the answer sends the client, or `nil` if it is the final one (RFC 9110 §15.4).
    func redirected(by head: ResponseHead) throws(HTTPClient.Error) -> Hop? {
        guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
        let places = head.fields.values(of: "Location")
        guard let place = places.first else { return nil }
        guard places.allSatisfy({ $0 == place }) else { throw .badRedirect("it names several places") }
        var next = self
        next.url = try target(place)
        next.method = methodAfter(head.status)
        if next.url.origin == url.origin {
            next.url = next.url.keeping(url.credentials)
        } else {
            Self.credentialFields.forEach { next.fields.removeAll(named: $0) }
        }
        return next
    }

    private func target(_ place: String) throws(HTTPClient.Error) -> WebURL {
        let target: WebURL
        do {
            target = try url.resolving(place)
        } catch .unsupportedScheme(let scheme) {
            throw .badRedirect("it leads to the scheme “\(scheme)”")
        } catch {
            throw .badRedirect("it leads to “\(place.withoutSecrets)”, which is no URL")
        }
        if url.isSecure, !target.isSecure {
            throw .badRedirect("it leads from https to http at \(target.authority)")
        }
        return target
    }

    private func methodAfter(_ status: Int) -> String {
        switch status {
        case 303 where method != "HEAD": "GET"
        case 301 where method == "POST", 302 where method == "POST": "GET"
        default: method
        }
    }
}
