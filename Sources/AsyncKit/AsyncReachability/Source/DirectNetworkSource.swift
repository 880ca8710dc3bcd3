/// A source that calls whoever watches, on a thread of its own: one switch of threads less than a stream.
protocol DirectNetworkSource: NetworkSource {
    /// Starts a watch, like ``NetworkSource/paths(to:)``.
    ///
    /// - Parameters:
    ///   - target: Where the path shall lead to.
    ///   - deliver: Called with the first path and each later one, in order; it must not block. One call may still
    ///     come after the end.
    /// - Returns: What ends the watch.
    func watch(_ target: NetworkTarget, deliver: @escaping @Sendable (NetworkPath) -> Void)
        -> @Sendable () -> Void
}
