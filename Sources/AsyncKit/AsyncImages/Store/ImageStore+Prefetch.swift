extension ImageStore {
    /// Downloads pictures ahead of need, in order, a few at a time.
    ///
    /// Returns as soon as the URLs are noted. One that is in memory, failed lately or waits already costs nothing;
    /// one that is asked for meanwhile is not downloaded twice. Failures show only in ``events``. The tasks run at
    /// utility priority and keep the store alive until they are done; ``cancelAllDownloads()`` ends them.
    ///
    /// - Parameter urls: Absolute `http` or `https` URLs.
    public func prefetch(_ urls: some Sequence<String>) {
        for url in urls where remembered(url) == nil {
            if prefetching.add(url) { Task(priority: .utility) { await prefetchAll() } }
        }
    }

    private func prefetchAll() async {
        while let url = prefetching.take() {
            _ = try? await image(for: url)
        }
    }
}
