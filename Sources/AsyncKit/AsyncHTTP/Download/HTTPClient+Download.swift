extension HTTPClient {
    /// Downloads the body of the answer to a request into a file, which appears whole or not at all.
    ///
    /// ```swift
    /// var request = HTTPRequest(url: "https://example.org/big.iso", timeout: .seconds(3600))
    /// request.maximumBodySize = 8 << 30
    /// let download = try await HTTPClient.shared.download(request, to: "big.iso") { progress in
    ///     print(progress.received, progress.total ?? 0)
    /// }
    /// print(download.byteCount, download.isResumed)
    /// ```
    ///
    /// The limits for time and size are those of every request: 60 seconds and 64 MiB unless raised, as above.
    ///
    /// What comes is written to a file beside the destination, named `.NAME.….part` and readable by its owner alone.
    /// When it is whole, it is flushed to the disk (fsync(2)) and takes the destination's name in one step
    /// (rename(2)), so that after a crash there is the old file or the new one. A file that is replaced passes on its
    /// permissions, a new one gets what the umask leaves. A link is replaced, not followed; a directory or a device
    /// is refused before anything is asked. After an error or a cancellation the part is removed and the destination
    /// is as before; only a process that is killed leaves a part behind, which no later call uses.
    ///
    /// Only status 200 is taken. When the connection is lost and the answer had a strong `ETag`, no
    /// `Content-Encoding`, and no `Accept-Ranges: none`, a `GET` asks for the rest (`Range`, `If-Range`), up to
    /// ``Configuration/maximumResumptions`` times, at once and then after half a second more each time. If the
    /// content has changed meanwhile, it starts over. A `Last-Modified` is never taken for a validator: it can be as
    /// old as a second when the content changes again.
    ///
    /// The body is asked for uncoded, unless the request has an `Accept-Encoding` of its own, and is stored as it comes.
    /// Memory is bounded: a piece is written before the next is read, and a slow disk holds the server back. Files are
    /// written on ``AsyncPrimitives/ThreadPool/shared``. Cancelling the calling task throws ``Error/cancelled`` as
    /// soon as the call of the disk under way has returned; once the file takes its name, it is too late.
    ///
    /// - Parameters:
    ///   - request: What to ask; neither `HEAD` nor one with a `Range` or `If-Range`.
    ///   - path: Where the file shall be; its directory must be there.
    ///   - progress: Called on the caller's actor when the header has come, then about ten times a second, and at the
    ///     end; the download waits for it.
    /// - Returns: What was written.
    /// - Throws: ``Error/unsuccessful(status:)`` for any other status, ``Error/file(path:reason:)`` when the file
    ///   can't be written, or the reason why there is no whole answer.
    public nonisolated func download(
        _ request: HTTPRequest,
        to path: String,
        progress: (HTTPProgress) -> Void = { _ in }
    ) async throws(Error) -> HTTPDownload {
        let mark = RequestMark(activity: nil, meter: request.progress)
        defer { mark.end() }
        var download = try Download(request, client: self)
        let file = try await PartFile.make(for: path)
        do throws(Error) {
            try await download.run(into: file, progress)
            try await file.sync()
            if Task.isCancelled { throw .cancelled }
            try await file.place()
        } catch {
            await file.discard()
            throw error
        }
        return download.result(path: path)
    }
}
