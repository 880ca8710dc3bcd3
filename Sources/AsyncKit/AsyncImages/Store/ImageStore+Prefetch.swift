extension ImageStore {
    /// Downloads pictures ahead of need, in order, a few at a time.
    ///
    /// Returns as soon as the URLs are noted. One that is in memory, failed lately or waits already costs nothing;
    /// one that is asked for meanwhile is not downloaded twice. Failures show only in ``events``. The tasks run at
    /// utility priority and keep the store alive until they are done; ``cancelAllDownloads()`` ends them.
    ///
    /// - Parameter urls: Absolute `http` or `https` URLs.
    public func prefetch(_ urls: some Sequence<String>) {
        prefetch(urls.map { ImageRequest($0) })
    }

    /// Downloads the pictures of requests ahead of need; see ``prefetch(_:)-(Sequence<String>)``.
    ///
    /// - Parameter requests: Where the pictures are and how they are wanted.
    public func prefetch(_ requests: some Sequence<ImageRequest>) {
        for request in requests where remembered(request.picture) == nil {
            if prefetching.add(request) { Task(priority: .utility) { await prefetchAll() } }
        }
    }

    private func prefetchAll() async {
        while let request = prefetching.take() {
            _ = try? await image(for: request)
        }
    }
}
