/// Finds out whether the Internet really answers, by asking somebody on it.
///
/// A monitor has none unless it is given one, because a probe sends packets and tells an operator where this machine
/// is. `HTTPProbe` of module `AsyncReachabilityHTTP` is one.
public protocol ReachabilityProbe: Sendable {
    /// Asks once.
    ///
    /// The monitor calls it in a task of its own, one call at a time, when a network has been found and again from
    /// time to time. That task is cancelled when the network changes; what is returned then is dropped. A call that
    /// never returns keeps later ones from starting.
    ///
    /// - Parameter route: The way that the kernel takes now.
    /// - Returns: What was found out.
    func validate(over route: NetworkRoute) async -> ProbeVerdict
}

/// What a ``ReachabilityProbe`` found out.
public enum ProbeVerdict: String, Sendable, Hashable, CaseIterable {
    /// The answer was the expected one.
    case validated
    /// Somebody else answered: a captive portal that wants a login, or a hijacked name.
    case portal
    /// There was no answer that says anything: a time-out, a name that was not resolved, an error of the server.
    case failed
}

/// How far a ``ReachabilityProbe`` has come with the network of a ``Reachability``.
public enum Validation: Sendable, Hashable {
    /// There is no probe, or no network to ask over.
    case none
    /// It has been asked and has not answered yet.
    case pending
    /// What it says.
    case done(ProbeVerdict)
}
