extension ImageStore {
    /// What became of a download.
    ///
    /// An event comes after the fact: by then the download is over, and what the event speaks of can be seen by
    /// ``ImageStore/cachedImage(for:)-(String)`` unless something newer has changed it. A download that was overtaken by
    /// ``ImageStore/clearCache(for:)-(String)`` tells only those who wait for it.
    public enum Event: Sendable, Hashable {
        /// The picture is there.
        case downloaded(url: String)

        /// The picture can't be had, and nothing stands in for it.
        case failed(url: String, Error)

        /// The picture can't be had; for a while the fallback image of a request stands in for it.
        case fellBack(url: String, Error)

        /// The download was cancelled, by a call or because nobody waited any more.
        case cancelled(url: String)

        /// Pictures had to leave memory: for others that are newer, or because memory is short.
        ///
        /// `bytes` is what their pixels take; it is given back once nobody else holds them.
        case evicted(pictures: Int, bytes: Int)
    }
}
