import AsyncHTTP

/// Judges a stored response at a moment: whether it may be used as it is, or when the server can't be asked
/// (RFC 9111, section 4.2; RFC 5861).
struct Freshness: Sendable {
    let control: CacheControl
    private let response: StoredResponse

    /// How many seconds the response is fresh.
    let lifetime: Int

    /// What is fresh only by a guess is so for a day at most.
    private static let longestGuess = 86_400

    /// - Parameters:
    ///   - response: What is stored.
    ///   - name: Its name; equal lifetimes of different names end at different times, by up to a tenth, so that what
    ///     was stored together is not asked for together.
    ///   - defaultLifetime: For a response that says nothing about how long it is good, in seconds.
    init(_ response: StoredResponse, name: String, defaultLifetime: Int) {
        self.response = response
        control = CacheControl(response.headerFields["Cache-Control"])
        let whole = Self.lifetime(of: response, control, defaultLifetime)
        lifetime = whole - whole / 10 * Self.spread(name) / 256
    }

    private static func lifetime(of response: StoredResponse, _ control: CacheControl, _ defaultLifetime: Int)
        -> Int
    {
        if control.noCache { return 0 }
        if let maxAge = control.maxAge { return Optional(maxAge).orZero }
        let fields = response.headerFields
        let date = date(of: response)
        if let expires = fields["Expires"] {
            // What is no date, such as 0, is in the past (section 5.3).
            return HTTPDate.seconds(expires, now: response.responseTime).map { max(0, $0 - date) } ?? 0
        }
        // From before Cache-Control, and still sent (section 5.4).
        if fields["Cache-Control"] == nil, fields["Pragma"]?.lowercased().contains("no-cache") == true {
            return 0
        }
        guard
            let modified = fields["Last-Modified"].flatMap({
                HTTPDate.seconds($0, now: response.responseTime)
            })
        else { return defaultLifetime }
        return min(longestGuess, max(0, date - modified) / 10)
    }

    private static func date(of response: StoredResponse) -> Int {
        response.headerFields["Date"].flatMap { HTTPDate.seconds($0, now: response.responseTime) }
            ?? response.responseTime
    }

    /// A number from 0 to 255 that is the same for the same name (FNV-1a).
    private static func spread(_ name: String) -> Int {
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        // The upper bits of a short text's hash hardly differ before they are stirred.
        return Int(((hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd) >> 56)
    }

    /// How old the response is, in seconds (section 4.2.3).
    func age(at now: Int) -> Int {
        let apparent = max(0, response.responseTime - Self.date(of: response))
        let delay = max(0, response.responseTime - response.requestTime)
        let told = CacheControl.number(response.headerFields["Age"]) ?? 0
        return max(apparent, told + delay) + max(0, now - response.responseTime)
    }

    /// Whether the response may be used without asking.
    ///
    /// When the clock was set back, it can't be told for how long the response has been here: it counts as stale.
    func isFresh(at now: Int) -> Bool {
        now >= response.responseTime && age(at: now) < lifetime
    }

    /// The seconds that remain until it is stale.
    func remaining(at now: Int) -> Int {
        isFresh(at: now) ? lifetime - age(at: now) : 0
    }

    /// The seconds until it may not even be used stale, while the server is asked or in trouble; 0 for not at all.
    func staleRemaining(at now: Int) -> Int {
        guard mayServeStale else { return 0 }
        let grace = max(control.staleWhileRevalidate.orZero, control.staleIfError.orZero)
        return max(0, lifetime + grace - age(at: now))
    }

    /// Whether the stale response may be used now and refreshed afterwards.
    func mayServeWhileRevalidating(at now: Int) -> Bool {
        mayServeStale && now >= response.responseTime
            && age(at: now) < lifetime + control.staleWhileRevalidate.orZero
    }

    /// Whether it may be used when the server is in trouble (500, 502, 503, 504).
    func mayServeOnError(at now: Int) -> Bool {
        mayServeStale && age(at: now) < lifetime + control.staleIfError.orZero
    }

    /// Whether it may be used when no server can be reached, and at whatever age (section 4.2.4).
    var mayServeStale: Bool { !control.noCache && !control.mustRevalidate }

    /// Whether a response may be kept at all (section 3).
    static func mayStore(_ fields: HTTPFields) -> Bool {
        let varies = fields.values(of: "Vary").contains { $0.contains("*") }
        return !varies && !CacheControl(fields["Cache-Control"]).noStore
    }
}
