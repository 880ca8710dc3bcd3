import AsyncPrimitives

extension SyncBridge {
    /// Cancels waits from another thread.
    ///
    /// ```swift
    /// import Foundation
    ///
    /// let handle = SyncBridge.Handle()
    /// let worker = Thread {
    ///     do {
    ///         print(try SyncBridge.wait(handle: handle) { try await download("a.png") })
    ///     } catch {
    ///         print(error)  // The wait at … was cancelled.
    ///     }
    /// }
    /// worker.start()
    /// handle.cancel()
    /// ```
    ///
    /// One handle may be given to many waits. After ``cancel()`` it refuses new ones with ``Error/cancelled(at:)``.
    public final class Handle: Sendable {
        private struct Contents {
            var isCancelled = false
            var waits: [WaiterID: @Sendable () -> Void] = [:]
        }

        private let contents = Lock(Contents())

        /// Makes a handle that cancels nothing yet.
        public init() {}

        /// Whether ``cancel()`` was called.
        public var isCancelled: Bool { contents.withLock { $0.isCancelled } }

        /// Ends the waits that have this handle, from any thread, once or more.
        ///
        /// Their operations are cancelled; each wait returns within 10 ms.
        public func cancel() {
            let waits = contents.withLock { contents in
                contents.isCancelled = true
                defer { contents.waits = [:] }
                return Array(contents.waits.values)
            }
            for cancel in waits { cancel() }
        }

        /// Keeps the closure for a cancellation, or calls it when that has come already.
        func attach(_ cancel: @escaping @Sendable () -> Void) -> WaiterID {
            let id = WaiterID()
            let isCancelled = contents.withLock { contents in
                if !contents.isCancelled { contents.waits[id] = cancel }
                return contents.isCancelled
            }
            if isCancelled { cancel() }
            return id
        }

        func detach(_ id: WaiterID) {
            _ = contents.withLock { $0.waits.removeValue(forKey: id) }
        }
    }
}
