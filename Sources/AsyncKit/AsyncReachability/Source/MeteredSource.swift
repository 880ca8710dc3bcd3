/// Who can tell whether the network is metered: NetworkManager, a setting of the program, a script in a test.
///
/// A monitor that has one takes its word; where it says ``Metered/unknown`` the guess of the route stays.
public protocol MeteredSource: Sendable {
    /// The answer at this moment and then each other one, a new watch at each access.
    ///
    /// Nobody waits for the first element. When the stream is cancelled or released, the watch must end and give
    /// back its threads and descriptors. A stream that finishes leaves its last element in force.
    var answers: AsyncStream<Metered> { get }
}
