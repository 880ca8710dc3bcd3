/// What became of a download: the file is in its place, whole.
///
/// ```swift
/// let request = HTTPRequest(url: "https://example.org/logo.png")
/// let download = try await HTTPClient.shared.download(request, to: "logo.png")
/// print(download.byteCount, download.headerFields["Content-Type"] ?? "-")
/// ```
public struct HTTPDownload: Sendable, Hashable {
    /// The path of the file, as it was asked for.
    public var path: String

    /// How many bytes the file has.
    public var byteCount: Int

    /// The status of the last answer: 200, or 206 where the file was put together of several answers.
    public var status: Int

    /// The header fields of the answer that the file begins with.
    public var headerFields: HTTPFields

    /// The URL that answered, after all redirects, without user info and fragment.
    public var url: String

    /// Whether the body was cut off at least once and its rest was asked for.
    public var isResumed: Bool { status == 206 }

    /// Creates a value, as a test needs.
    public init(path: String, byteCount: Int, status: Int = 200, headerFields: HTTPFields = [:], url: String)
    {
        self.path = path
        self.byteCount = byteCount
        self.status = status
        self.headerFields = headerFields
        self.url = url
    }
}
