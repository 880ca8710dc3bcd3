public import AsyncBridging

extension ReachabilityMonitor {
    /// The same calls for code that is not async.
    ///
    /// ```swift
    /// let mode = try ReachabilityMonitor.shared.blocking.current().mode
    /// ```
    public nonisolated var blocking: Blocking { Blocking(monitor: self) }

    /// A monitor as synchronous code sees it: every method blocks the calling thread.
    ///
    /// The rules are those of `SyncBridge`: a call from the main thread keeps the main run loop served, and a
    /// place where waiting could only hang is refused before anything starts.
    public struct Blocking: Sendable {
        let monitor: ReachabilityMonitor

        /// How the Internet is reached now, like ``ReachabilityMonitor/current``.
        ///
        /// - Parameters:
        ///   - timeout: How long to wait at most; `nil` for no limit.
        ///   - isolation: The caller's actor, to refuse a wait that could only hang; leave it out.
        ///   - fileID: The caller's file, for messages; leave it out.
        ///   - line: The caller's line; leave it out.
        /// - Returns: The state, never a placeholder.
        /// - Throws: That the time is over, or that this is no place to wait.
        @available(*, noasync, message: "Use await monitor.current.")
        public func current(
            timeout: Duration? = SyncBridge.defaultTimeout,
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<Never>) -> Reachability {
            try SyncBridge.waitAnywhere(timeout: timeout, isolation: isolation, fileID: fileID, line: line) {
                [monitor] () async throws(Never) -> Reachability in
                await monitor.current
            }
        }

        /// Waits until the target can be reached, like ``ReachabilityMonitor/waitUntilReachable(timeout:)``.
        ///
        /// - Parameters:
        ///   - timeout: How long to wait at most; `nil` for no limit.
        ///   - isolation: The caller's actor, to refuse a wait that could only hang; leave it out.
        ///   - fileID: The caller's file, for messages; leave it out.
        ///   - line: The caller's line; leave it out.
        /// - Returns: The state that ended the wait.
        /// - Throws: That the time is over, that this is no place to wait, or that the network can't be looked at.
        @available(*, noasync, message: "Use await monitor.waitUntilReachable().")
        @discardableResult
        public func waitUntilReachable(
            timeout: Duration? = SyncBridge.defaultTimeout,
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<ReachabilityMonitor.Error>) -> Reachability {
            try SyncBridge.waitAnywhere(timeout: timeout, isolation: isolation, fileID: fileID, line: line) {
                [monitor] () async throws(ReachabilityMonitor.Error) -> Reachability in
                try await monitor.waitUntilReachable()
            }
        }

        /// Stops to watch and to deliver, like ``ReachabilityMonitor/suspend()``.
        ///
        /// - Parameters:
        ///   - isolation: The caller's actor, to refuse a wait that could only hang; leave it out.
        ///   - fileID: The caller's file, for messages; leave it out.
        ///   - line: The caller's line; leave it out.
        /// - Throws: That this is no place to wait, or that the default deadline has passed.
        @available(*, noasync, message: "Use await monitor.suspend().")
        public func suspend(
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<Never>) {
            try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
                [monitor] () async throws(Never) in
                await monitor.suspend()
            }
        }

        /// Watches again and delivers the latest state, like ``ReachabilityMonitor/resume()``.
        ///
        /// - Parameters:
        ///   - isolation: The caller's actor, to refuse a wait that could only hang; leave it out.
        ///   - fileID: The caller's file, for messages; leave it out.
        ///   - line: The caller's line; leave it out.
        /// - Throws: That this is no place to wait, or that the default deadline has passed.
        @available(*, noasync, message: "Use await monitor.resume().")
        public func resume(
            isolation: (any Actor)? = #isolation,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(SyncBridge.Error<Never>) {
            try SyncBridge.waitAnywhere(isolation: isolation, fileID: fileID, line: line) {
                [monitor] () async throws(Never) in
                await monitor.resume()
            }
        }
    }
}
