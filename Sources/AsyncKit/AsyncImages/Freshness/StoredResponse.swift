import AsyncHTTP

/// What is kept of a response beside its body, to judge later whether it is fresh (RFC 9111, section 3).
struct StoredResponse: Sendable, Equatable {
    var status: Int

    /// Only the fields that caching needs; a `Set-Cookie`, for one, has no business on disk.
    var headerFields: HTTPFields

    /// Seconds since 1970 by the wall clock: when the request went out, and when the response came.
    var requestTime: Int
    var responseTime: Int

    private static let kept: Set<String> = [
        "age", "cache-control", "content-type", "date", "etag", "expires", "last-modified", "pragma", "vary",
    ]

    /// The fields that describe the bytes that are stored, which a 304 does not replace (RFC 9111, section 3.2).
    private static let describing: Set<String> = ["content-type"]

    init(status: Int, headerFields: HTTPFields, requestTime: Int, responseTime: Int) {
        self.status = status
        self.headerFields = HTTPFields(headerFields.filter { Self.kept.contains($0.name.lowercased()) })
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// The response after the server said that it is still good: the newer fields count (RFC 9111, section 4.3.4).
    func freshened(by fields: HTTPFields, requestTime: Int, responseTime: Int) -> StoredResponse {
        var fresh = self
        (fresh.requestTime, fresh.responseTime) = (requestTime, responseTime)
        let newer = fields.filter { field in
            let name = field.name.lowercased()
            return Self.kept.contains(name) && !Self.describing.contains(name)
        }
        // A 304 that says no age is as young as its date.
        fresh.headerFields.removeAll(named: "Age")
        for field in newer { fresh.headerFields.removeAll(named: field.name) }
        for field in newer { fresh.headerFields.append(field.name, field.value) }
        return fresh
    }

    /// Whether a 304 speaks of the bytes that are stored: a strong tag that differs does not (RFC 9111, section 4.3.4).
    func isConfirmed(by fields: HTTPFields) -> Bool {
        guard let tag = fields["ETag"], !tag.hasPrefix("W/"), let own = headerFields["ETag"] else {
            return true
        }
        return own == tag || own == "W/" + tag
    }

    /// The fields that ask the server whether the stored bytes are still good; empty when it gave nothing to ask by.
    var conditions: [HTTPFields.Field] {
        if let tag = headerFields["ETag"] { return [.init(name: "If-None-Match", value: tag)] }
        if let date = headerFields["Last-Modified"], HTTPDate.seconds(date) != nil {
            return [.init(name: "If-Modified-Since", value: date)]
        }
        return []
    }
}
