import AsyncHTTP

/// For how long a server says that its refusal holds.
enum FailureAdvice {
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - fields: Its header fields.
    ///   - now: Seconds since 1970, for a `Retry-After` that is a date.
    /// - Returns: `Retry-After` of a server in trouble (RFC 9110, section 10.2.3), or the lifetime of the answer that
    ///   there is nothing, which may be cached like any other (section 15.1); nil when it says neither.
    static func lifetime(status: Int, _ fields: HTTPFields, now: Int) -> Duration? {
        switch status {
        case 429, 503: retryAfter(fields["Retry-After"], now: now).map { .seconds($0) }
        case 404, 410: saidLifetime(fields, now: now).map { .seconds($0) }
        default: nil
        }
    }

    private static func retryAfter(_ field: String?, now: Int) -> Int? {
        guard let field else { return nil }
        return CacheControl.number(field) ?? HTTPDate.seconds(field, now: now).map { max(0, $0 - now) }
    }

    private static func saidLifetime(_ fields: HTTPFields, now: Int) -> Int? {
        let control = CacheControl(fields["Cache-Control"])
        if control.noStore || control.noCache { return 0 }
        guard case .seconds(let seconds) = control.maxAge else { return nil }
        return max(0, seconds - (CacheControl.number(fields["Age"]) ?? 0))
    }
}
