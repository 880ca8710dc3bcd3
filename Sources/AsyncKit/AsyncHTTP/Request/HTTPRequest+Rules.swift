extension HTTPRequest {
    /// Who goes first where requests wait for a connection.
    ///
    /// It decides nothing once a request is under way. As long as there are enough of a higher priority, those of a lower
    /// one wait, until their ``HTTPRequest/timeout`` passes.
    public enum Priority: Int, Sendable, Hashable, Comparable {
        /// After all others, such as what is fetched ahead.
        case low
        /// In the order they were asked.
        case normal
        /// Before all others, such as what somebody looks at now.
        case high

        /// Whether the first one waits longer.
        public static func < (first: Self, second: Self) -> Bool {
            first.rawValue < second.rawValue
        }
    }

    /// What becomes of a redirect: a status of 301, 302, 303, 307 or 308 with a `Location` (RFC 9110 §15.4).
    public enum RedirectPolicy: Sendable, Hashable {
        /// It is followed, as often as the client allows (``HTTPClient/Configuration/maximumRedirects``).
        case follow
        /// It is followed as many times, whatever the client allows; one more is an error.
        case followAtMost(Int)
        /// It is followed within scheme, host and port of the request's URL; one that leads away from there is
        /// ``HTTPClient/Error/badRedirect(_:)``.
        case followWithinOrigin
        /// It is an answer like every other, with its status and `Location`.
        case `return`
    }
}
