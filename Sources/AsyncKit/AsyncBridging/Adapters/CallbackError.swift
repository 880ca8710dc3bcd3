import AsyncPrimitives

/// What went wrong between an old API and its caller.
///
/// The API's own error comes as ``operation(_:)``; every other case is about the callback itself and names the
/// place that waits for it.
public enum CallbackError: Error, CustomStringConvertible {
    /// The operation failed: the callback was called with this error, or starting it threw.
    case operation(any Error)
    /// The callback was released without a call, so that none could come any more.
    case neverCalled(CallSite)
    /// The callback was called again; the later call was ignored. Never thrown, only reported.
    case calledTwice(CallSite)
    /// The callback was called with neither a value nor an error.
    case calledEmpty(CallSite)
    /// The callback was not called in time; what it delivers later is dropped.
    case timedOut(after: Duration, CallSite)
    /// The task that waits was cancelled; what the callback delivers later is dropped.
    case cancelled

    /// What happened, where, and what to do about it.
    public var description: String {
        switch self {
        case .operation(let error):
            "\(error)"
        case .neverCalled(let site):
            "The callback that \(site) waits for was released without a call; call it on every path."
        case .calledTwice(let site):
            "The callback that \(site) waits for was called again, which was ignored; call it once."
        case .calledEmpty(let site):
            "The callback that \(site) waits for got neither a value nor an error; pass one of them."
        case .timedOut(let limit, let site):
            "The callback that \(site) waits for was not called within \(limit); allow more time or find what holds it up."
        case .cancelled:
            "The wait for a callback was cancelled."
        }
    }

    /// Writes the error to standard error, in one line.
    ///
    /// The default of what takes reports of misuse; it can be called from any thread.
    ///
    /// - Parameter misuse: The error.
    public static func report(_ misuse: CallbackError) {
        StandardError.write("AsyncBridging: \(misuse)")
    }
}
