import AsyncHTTP

extension ImageLoader {
    /// A stored file that may be used without asking the server, under a policy.
    func usable(
        _ stored: DiskStore.Stored,
        for policy: ImageRequest.CachePolicy,
        _ permit: Permit
    ) -> ImageFile? {
        let freshness = stored.freshness
        switch policy {
        case .cacheOnly:
            return file(stored, permit)
        case .reload:
            // It said that it will never change while it is fresh (RFC 8246).
            return freshness.control.isImmutable && freshness.isFresh(at: stored.now)
                ? file(stored, permit) : nil
        case .standard, .noStore:
            if freshness.isFresh(at: stored.now) { return file(stored, permit) }
            return freshness.mayServeWhileRevalidating(at: stored.now)
                ? file(stored, permit, needsRefresh: true) : nil
        }
    }

    /// The stored file in place of one that can't be had because no server is reached.
    func standIn(_ stored: DiskStore.Stored, _ permit: Permit) -> ImageFile? {
        stored.freshness.mayServeStale ? file(stored, permit) : nil
    }

    /// The stored file in place of the answer of a server in trouble (RFC 5861, section 4).
    func standIn(_ stored: DiskStore.Stored, forStatus status: Int, _ permit: Permit) -> ImageFile? {
        guard [500, 502, 503, 504].contains(status) else { return nil }
        return stored.freshness.mayServeOnError(at: stored.now) ? file(stored, permit) : nil
    }

    /// The stored file after the server said that it is still good; what it said newly is written.
    func revalidated(
        _ stored: DiskStore.Stored,
        _ response: HTTPResponse,
        _ times: (request: Int, response: Int),
        _ download: Download,
        _ permit: Permit
    ) -> ImageFile {
        let fresh = stored.entry.response.freshened(
            by: response.headerFields,
            requestTime: times.request,
            responseTime: times.response
        )
        let file = ImageFile(
            bytes: stored.entry.body,
            codec: stored.codec,
            status: fresh.status,
            origin: .revalidated,
            permit: permit
        )
        return disk?.described(file, fresh, download) ?? file
    }

    private func file(
        _ stored: DiskStore.Stored,
        _ permit: Permit,
        needsRefresh: Bool = false
    ) -> ImageFile {
        var file = ImageFile(
            bytes: stored.entry.body,
            codec: stored.codec,
            status: stored.entry.response.status,
            origin: .disk,
            permit: permit
        )
        file.age = stored.freshness.age(at: stored.now)
        file.lifetime = stored.freshness.remaining(at: stored.now)
        file.staleLifetime = stored.freshness.staleRemaining(at: stored.now)
        file.needsRefresh = needsRefresh
        return file
    }
}
