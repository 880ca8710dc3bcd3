extension Hop {
    /// The fields that belong to one origin and are not told to another.
    private static let credentialFields = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]

    /// The fields that describe a body, and go with it.
    private static let bodyFields = [
        "Content-Type", "Content-Encoding", "Content-Language", "Content-Location",
    ]

    /// Where the answer sends the client, or `nil` if it is the final one (RFC 9110 §15.4).
    func redirected(by head: ResponseHead) throws(HTTPClient.Error) -> Hop? {
        guard [301, 302, 303, 307, 308].contains(head.status), request.redirects != .return else {
            return nil
        }
        let places = head.fields.values(of: "Location")
        guard let place = places.first else { return nil }
        guard places.allSatisfy({ $0 == place }) else { throw .badRedirect("it names several places") }
        var next = self
        next.url = try target(place)
        next.method = methodAfter(head.status)
        try next.leave(self, place)
        if next.method != method || head.status == 303 { next.dropBody() }
        if case .stream = next.body?.source {
            throw .badRedirect("it wants the body once more, which is a stream and can be sent once")
        }
        return next
    }

    /// Takes note of where it came from, and leaves behind what is not told to another origin.
    private mutating func leave(_ last: Hop, _ place: String) throws(HTTPClient.Error) {
        let limit = maximumRedirects
        guard trail.count < limit else { throw .tooManyRedirects(limit: limit) }
        trail.insert(Step(method: last.method, url: last.url.text))
        guard !trail.contains(Step(method: method, url: url.text)) else {
            throw .badRedirect("it leads in a circle, back to “\(shown(place))”")
        }
        if url.origin == last.url.origin {
            url = url.keeping(last.url.credentials)
        } else if request.redirects == .followWithinOrigin {
            throw .badRedirect("it leads away, to \(url.authority)")
        } else {
            Self.credentialFields.forEach { fields.removeAll(named: $0) }
        }
    }

    private var maximumRedirects: Int {
        if case .followAtMost(let limit) = request.redirects { max(0, limit) } else { rules.maximumRedirects }
    }

    private mutating func dropBody() {
        body = nil
        Self.bodyFields.forEach { fields.removeAll(named: $0) }
    }

    private func shown(_ place: String) -> String {
        rules.showsWholeURLs ? place : place.withoutSecrets
    }

    private func target(_ place: String) throws(HTTPClient.Error) -> WebURL {
        let target: WebURL
        do {
            target = try url.resolving(place)
        } catch .unsupportedScheme(let scheme) {
            throw .badRedirect("it leads to the scheme “\(scheme)”")
        } catch {
            throw .badRedirect("it leads to “\(shown(place))”, which is no URL")
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
