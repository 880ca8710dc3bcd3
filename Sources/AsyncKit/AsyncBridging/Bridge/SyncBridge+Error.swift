extension SyncBridge {
    /// Why a wait did not return a result.
    public enum Error<OperationError: Swift.Error>: Swift.Error, CustomStringConvertible {
        /// The operation itself threw.
        case operation(OperationError)
        /// The operation had not ended when its time was up; it was cancelled and its result will be dropped.
        case timedOut(after: Duration, at: CallSite)
        /// The wait was cancelled by its handle, or the task that the calling thread belongs to was.
        case cancelled(at: CallSite)
        /// The wait could only have hung; the operation was not started.
        case refused(Refusal)

        /// What happened, where, and what to do about it.
        public var description: String {
            switch self {
            case .operation(let error):
                "\(error)"
            case .timedOut(let limit, let site):
                "The operation that \(site) waits for did not end within \(limit); allow more time or find what it waits for."
            case .cancelled(let site):
                "The wait at \(site) was cancelled."
            case .refused(let refusal):
                refusal.description
            }
        }
    }

    /// A wait that was not begun, because it could only have hung.
    public struct Refusal: Sendable, Hashable, CustomStringConvertible {
        /// Why a wait was not begun.
        public enum Reason: Sendable, Hashable {
            /// The caller runs on an actor, which would stay blocked; the text names its type where it is known.
            case onActor(String)
            /// The caller runs on the main thread, which has the main run loop or the main queue to serve.
            case onMainThread
            /// The caller runs on the main queue, but not on the main thread.
            case onMainQueue
            /// The form that serves the main run loop was called elsewhere.
            case notOnMainThread
            /// The caller is itself run by the main queue, which does nothing else before it returns.
            case insideMainQueue
        }

        /// Why the wait was not begun.
        public let reason: Reason

        /// Where it was called.
        public let callSite: CallSite

        @usableFromInline
        init(reason: Reason, callSite: CallSite) {
            self.reason = reason
            self.callSite = callSite
        }

        /// What happened, where, and what to write instead.
        public var description: String {
            "The wait at \(callSite) was refused: \(reason.advice)"
        }
    }
}

extension SyncBridge.Refusal.Reason {
    var advice: String {
        switch self {
        case .onActor(let name):
            "it would block \(name), which the operation may need. Make the caller async and await the operation."
        case .onMainThread:
            "it would stop the main run loop. Use waitServingMainRunLoop, or call it from another thread."
        case .onMainQueue:
            "it would block the main queue, which the MainActor needs. Make the caller async and await the operation."
        case .notOnMainThread:
            "only the main thread can serve the main run loop. Use wait here."
        case .insideMainQueue:
            "the main queue runs nothing before this block or MainActor job returns. Await the operation in a Task."
        }
    }
}
