public import AsyncHTTP
import AsyncPrimitives

extension ImageStore {
    /// Why there is no picture; the case names the check that failed.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The calling task, or the download, was cancelled.
        case cancelled

        /// There was no whole answer: a bad URL, no network, a time limit, a body cut short.
        case transport(HTTPClient.Error)

        /// The status was not 200; 204 and 206 do not count, since they bring no whole picture.
        case status(Int)

        /// The `Content-Type` is missing or not one `image/` type.
        case contentType(String?)

        /// The body has no bytes.
        case emptyBody

        /// The bytes are a picture of another format than the `Content-Type` says.
        case mismatch(contentType: String, found: ImageFormat)

        /// No codec could make a picture of the bytes.
        case undecodable(Image.Error)

        /// The request was for what is in memory or on disk, and there is nothing; no request was made.
        case notCached

        /// The work was not taken: too many requests wait already, or the system gives no thread.
        case unavailable(reason: String)
    }
}

extension ImageStore.Error {
    /// The error that an error of the parts beneath the store is to its callers.
    init(_ error: any Swift.Error) {
        switch error {
        case let error as ImageStore.Error: self = error
        case is CancellationError, Limiter.Error.cancelled: self = .cancelled
        case Limiter.Error.timedOut(let limit): self = .transport(.timedOut(.total, after: limit))
        default: self = .unavailable(reason: String(describing: error))
        }
    }
}

extension ImageStore.Error: CustomStringConvertible {
    /// One sentence that says what happened and what to do.
    public var description: String {
        switch self {
        case .cancelled: "The download was cancelled; ask again if the picture is still wanted."
        case .transport(let error): error.description
        case .status(let code): "Check the URL: the server answered \(code) instead of 200."
        case .contentType(nil): "Ask the server's owner for a Content-Type: the answer has none."
        case .contentType(let type?): "Check the URL: the server sent “\(type)”, not one image type."
        case .emptyBody: "Check the URL: the server sent an image type without any bytes."
        case .mismatch(let type, let format):
            "Ask the server's owner to correct the type: it says “\(type)”, but the bytes are \(format)."
        case .undecodable(let error): error.description
        case .notCached: "Ask with another cache policy: the picture is neither in memory nor on disk."
        case .unavailable(let reason): "Ask again later: \(reason)"
        }
    }
}
