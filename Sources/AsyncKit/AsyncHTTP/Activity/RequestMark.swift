/// One request under way, for those who watch from outside: it counts as activity, and its meter runs.
///
/// Ends by ``end()``, or when an error leaves it behind.
final class RequestMark: Sendable {
    private let activity: NetworkActivity.Token?
    private let meter: HTTPProgressMeter?

    init(activity: NetworkActivity?, meter: HTTPProgressMeter?) {
        self.activity = activity?.begin()
        self.meter = meter
    }

    deinit {
        end()
    }

    /// Ends it; later calls change nothing.
    func end() {
        activity?.end()
        meter?.finish()
    }
}
