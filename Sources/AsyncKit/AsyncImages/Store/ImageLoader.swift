import AsyncHTTP
import AsyncPrimitives

/// Turns a request into a picture: from disk or by one download for all sizes, the checks, one decode for each size.
struct ImageLoader: Sendable {
    /// One download; equal ones are joined.
    ///
    /// The number keeps what was overtaken by a clear or a cancel apart.
    struct Download: Hashable, Sendable {
        let source: String
        let policy: ImageRequest.CachePolicy
        let generation: Int

        /// Whether what is on disk is of no use.
        var isUnstored = false
    }

    let transport: any HTTPTransport
    let configuration: ImageStore.Configuration
    let progress = ProgressBoard()
    let disk: DiskStore?
    private let permits: Limiter

    /// For files that are used from disk, which must not wait for slow downloads.
    private let diskPermits: Limiter
    private let decoders: ThreadPool
    private let downloads = SingleFlight<Download, ImageFile>()

    init(transport: any HTTPTransport, configuration: ImageStore.Configuration) {
        self.transport = transport
        self.configuration = configuration
        disk = configuration.disk.map { DiskStore($0, configuration) }
        permits = Limiter(permits: max(1, configuration.maximumDownloads))
        diskPermits = Limiter(permits: 2 * max(1, configuration.decodingThreads))
        // Whoever waits for a decode holds a file, and files are bounded by the permits they hold.
        decoders = ThreadPool(
            name: "images",
            maximumThreads: max(1, configuration.decodingThreads),
            maximumQueued: .max
        )
    }

    /// How many downloads wait for their turn.
    var waitingCount: Int { permits.waiterCount }

    /// How many wait to read a file from disk.
    var waitingForDiskCount: Int { diskPermits.waiterCount }

    func picture(for request: ImageRequest, _ download: Download) async throws(LoadFailure) -> LoadedPicture {
        do {
            let file = try await file(for: request, download)
            do {
                return try await decode(file, for: request.target)
            } catch ImageStore.Error.undecodable where file.isFromDisk && request.cachePolicy != .cacheOnly {
                return try await replacement(for: request, download)
            }
        } catch {
            throw LoadFailure(error)
        }
    }

    /// What the server sends in place of a file on disk that is no picture, though it is as it was written.
    private func replacement(for request: ImageRequest, _ download: Download) async throws -> LoadedPicture {
        await disk?.remove(download.source)
        var again = download
        again.isUnstored = true
        return try await decode(file(for: request, again), for: request.target)
    }

    private func file(for request: ImageRequest, _ download: Download) async throws -> ImageFile {
        try await downloads.value(for: download) { try await load(request, download) }
    }

    private func load(_ request: ImageRequest, _ download: Download) async throws -> ImageFile {
        if let file = try await storedFile(for: download) { return file }
        guard download.policy != .cacheOnly else { throw ImageStore.Error.notCached }
        try await permits.acquire(timeout: configuration.timeout)
        let permit = Permit(permits)
        // Read a second time, so that whoever waits for a turn holds no file meanwhile.
        let stored = await stored(download)
        return try await progress.reporting(download) { meter in
            try await fetch(request, download, stored, permit, meter)
        }
    }

    /// The file on disk, if it may be used without asking.
    private func storedFile(for download: Download) async throws -> ImageFile? {
        guard disk != nil, !download.isUnstored else { return nil }
        try await diskPermits.acquire(timeout: configuration.timeout)
        let permit = Permit(diskPermits)
        return await stored(download).flatMap { usable($0, for: download.policy, permit) }
    }

    private func stored(_ download: Download) async -> DiskStore.Stored? {
        download.isUnstored ? nil : await disk?.stored(download.source)
    }

    private func decode(_ file: ImageFile, for target: ImageTarget?) async throws -> LoadedPicture {
        var decoding = ImageDecoding()
        decoding.limits = configuration.limits
        decoding.target = target
        decoding.acceptsPartial = configuration.acceptsPartial
        let image = try await decoders.run { [decoding] in
            do {
                return try file.codec.decode(file.bytes, decoding).resized(to: target)
            } catch let error as Image.Error {
                throw ImageStore.Error.undecodable(error)
            }
        }
        return file.loaded(as: image)
    }
}
