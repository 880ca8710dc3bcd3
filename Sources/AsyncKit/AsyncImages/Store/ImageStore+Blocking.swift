public import AsyncBridging

extension ImageStore {
    /// The store for code that is not `async`: the same calls, which block the calling thread.
    ///
    /// ```swift
    /// let logo = try ImageStore.shared.blocking.image(for: "https://example.org/logo.png")
    /// ```
    ///
    /// On the main thread the main run loop goes on meanwhile. ``ImageStore/cachedImage(for:)-(String)`` never waits and
    /// needs no blocking form.
    public nonisolated var blocking: Blocking { Blocking(store: self) }

    /// Blocking forms of a store's calls.
    ///
    /// Each refuses to start where it could only hang, such as on an actor (`SyncBridge.Error.refused`). There is
    /// no time limit beside that of the downloads (``Configuration/timeout``).
    public struct Blocking: Sendable {
        fileprivate let store: ImageStore
    }
}

extension ImageStore.Blocking {
    /// Downloads a picture, or returns it from memory; see ``ImageStore/image(for:)-(String)``.
    ///
    /// - Parameters:
    ///   - url: An absolute `http` or `https` URL.
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Returns: The picture or a remembered fallback image.
    /// - Throws: The store's error as `.operation`, or the reason why this thread can't wait.
    @available(*, noasync, message: "await image(for:) of the store itself")
    public func image(
        for url: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<ImageStore.Error>) -> Image {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(ImageStore.Error) in try await store.image(for: url)
        }
    }

    /// Downloads a picture, or returns the fallback image; see ``ImageStore/image(for:fallback:)``.
    ///
    /// - Parameters:
    ///   - url: An absolute `http` or `https` URL.
    ///   - fallback: What to return in place of a picture that failed.
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Returns: The picture or the fallback image.
    /// - Throws: The store's error as `.operation`, or the reason why this thread can't wait.
    @available(*, noasync, message: "await image(for:fallback:) of the store itself")
    public func image(
        for url: String,
        fallback: Image?,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<ImageStore.Error>) -> Image {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(ImageStore.Error) in try await store.image(for: url, fallback: fallback)
        }
    }

    /// Asks for a picture as a request wants it; see ``ImageStore/response(for:onProgress:)``.
    ///
    /// - Parameters:
    ///   - request: Where the picture is and how it is wanted.
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Returns: The picture or the fallback image, and how it came.
    /// - Throws: The store's error as `.operation`, or the reason why this thread can't wait.
    @available(*, noasync, message: "await response(for:) of the store itself")
    public func response(
        for request: ImageRequest,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<ImageStore.Error>) -> ImageResponse {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(ImageStore.Error) in try await store.response(for: request)
        }
    }

    /// Notes pictures to download ahead of need; see ``ImageStore/prefetch(_:)-(Sequence<String>)``.
    ///
    /// - Parameters:
    ///   - urls: Absolute `http` or `https` URLs.
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Throws: The reason why this thread can't wait.
    @available(*, noasync, message: "await prefetch(_:) of the store itself")
    public func prefetch(
        _ urls: [String],
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<Never>) {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(Never) in await store.prefetch(urls)
        }
    }

    /// Ends the download of a URL; see ``ImageStore/cancelDownload(for:)-(String)``.
    ///
    /// - Parameters:
    ///   - url: The same text that was given to ``ImageStore/image(for:)-(String)``.
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Throws: The reason why this thread can't wait.
    @available(*, noasync, message: "await cancelDownload(for:) of the store itself")
    public func cancelDownload(
        for url: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<Never>) {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(Never) in await store.cancelDownload(for: url)
        }
    }

    /// Ends every download; see ``ImageStore/cancelAllDownloads()``.
    ///
    /// - Parameters:
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Throws: The reason why this thread can't wait.
    @available(*, noasync, message: "await cancelAllDownloads() of the store itself")
    public func cancelAllDownloads(
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<Never>) {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(Never) in await store.cancelAllDownloads()
        }
    }

    /// Forgets the picture of a URL, or that it failed; see ``ImageStore/clearCache(for:)-(String)``.
    ///
    /// - Parameters:
    ///   - url: The same text that was given to ``ImageStore/image(for:)-(String)``.
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Throws: The reason why this thread can't wait.
    @available(*, noasync, message: "await clearCache(for:) of the store itself")
    public func clearCache(
        for url: String,
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<Never>) {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(Never) in await store.clearCache(for: url)
        }
    }

    /// Forgets every picture and every failure; see ``ImageStore/clearAllCaches()``.
    ///
    /// - Parameters:
    ///   - isolation: Where the call comes from; leave it out.
    ///   - fileID: The file to name in a refusal; leave it out.
    ///   - line: The line to name in a refusal; leave it out.
    /// - Throws: The reason why this thread can't wait.
    @available(*, noasync, message: "await clearAllCaches() of the store itself")
    public func clearAllCaches(
        isolation: (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(SyncBridge.Error<Never>) {
        try SyncBridge.waitAnywhere(timeout: nil, isolation: isolation, fileID: fileID, line: line) {
            [store] () async throws(Never) in await store.clearAllCaches()
        }
    }
}
