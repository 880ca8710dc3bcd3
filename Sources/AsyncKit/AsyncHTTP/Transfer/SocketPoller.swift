/// Tells one thread which of its sockets are ready: the seam for other systems than Linux, and for tests.
protocol SocketPoller: AnyObject {
    /// Watches a socket for just this from now on, or not at all; false when the system refuses.
    ///
    /// A socket must be given up before it is closed.
    func watch(_ socket: Int32, for readiness: Readiness) -> Bool

    /// Waits until a socket is ready, somebody wakes the thread, or the time has passed, whichever is first.
    ///
    /// - Parameters:
    ///   - milliseconds: How long at most; with 0, nothing is waited for.
    ///   - body: Called for each socket that is ready.
    func wait(milliseconds: Int, _ body: (_ socket: Int32, _ readiness: Readiness) -> Void)
}

/// What a socket is watched for, or ready for.
struct Readiness: OptionSet {
    let rawValue: UInt8

    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)
    /// Broken, or closed by the other side; told without being asked for.
    static let failed = Readiness(rawValue: 4)
}
