import CLinux
import Dispatch

extension SyncBridge.Refusal.Reason {
    /// Why a thread must not block here; `nil` where it may.
    static func ofWaiting(_ isolation: (any Actor)?) -> Self? {
        if let isolation {
            return Caller.isMainActor(isolation) ? mainReason : .onActor("\(type(of: isolation))")
        }
        if Caller.isOnMainThread || Caller.isOnMainQueue { return mainReason }
        if Caller.isOnSerialExecutor { return .onActor("the actor that called this function") }
        return nil
    }

    private static var mainReason: Self {
        Caller.isOnMainThread && !Caller.isInTask ? .onMainThread : .onMainQueue
    }

    /// Why the main run loop cannot be served here; `nil` where it can, as far as is seen without trying.
    static func ofServing(_ isolation: (any Actor)?) -> Self? {
        if let isolation, !Caller.isMainActor(isolation) { return .onActor("\(type(of: isolation))") }
        // In an asynchronous `main` without a run loop, the main queue is served by other threads than the main one.
        if !Caller.isOnMainThread { return Caller.isOnMainQueue ? .insideMainQueue : .notOnMainThread }
        return Caller.isInTask ? .insideMainQueue : nil
    }
}

/// What can be known about the thread that calls.
enum Caller {
    private static let mainQueueMark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    static var isOnMainThread: Bool { asynckit_is_main_thread() != 0 }

    static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueMark) != nil }

    static var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }

    /// Whether some actor is held by this thread, also when a function without isolation was called by it.
    static var isOnSerialExecutor: Bool { asynckit_is_on_serial_executor() != 0 }

    static func isMainActor(_ actor: any Actor) -> Bool { actor === MainActor.shared }
}
