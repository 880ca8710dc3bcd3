internal import AsyncPrimitives

/// NetworkManager's word on whether the network is metered, over D-Bus; unknown where there is no NetworkManager.
///
/// ```swift
/// let monitor = ReachabilityMonitor(meteredSource: NetworkManagerSource())
/// for await now in monitor.changes {
///     print(now.metered.isMetered == true ? "spare the network" : "go ahead")
/// }
/// ```
///
/// NetworkManager knows what the user has set for the network, and guesses from hints of phones and access points
/// (``Metered/isGuess``). Nothing is needed or started for it: without a library that speaks D-Bus (systemd's,
/// elogind's or basu's, looked for when the first watch starts), without a bus or without NetworkManager the answer
/// is ``Metered/unknown``, and so the guess of the route stays. When NetworkManager comes, goes or starts anew, that
/// is an answer too.
///
/// A watch has a thread and a connection to the bus (two descriptors). The thread sleeps until the bus has
/// something to say. Without a bus it tries again after 1, 2, 4 … 30 seconds. When NetworkManager doesn't answer
/// within five seconds the answer is unknown until it does.
///
/// Limits: without a library, or when the system gives no thread or descriptor, the stream says unknown and ends.
/// NetworkManager speaks for the network of the machine, which in a container may be another one than yours.
///
/// Source: the property `Metered` of `org.freedesktop.NetworkManager`; sd-bus(3).
public struct NetworkManagerSource: MeteredSource {
    /// What a watch goes by.
    struct Settings: Sendable {
        var busAddress: String?
        var answerTimeout = Duration.seconds(5)
        /// Called on the thread of a watch: to load a library means to read files.
        var library: @Sendable () -> SystemBus? = { .installed }
    }

    private let settings: Settings

    /// Makes a source; nothing is loaded or opened before the first watch.
    ///
    /// - Parameter busAddress: Where the bus is, such as `unix:path=/run/bus`; `nil`, the default, is the bus of the
    ///   system, which `DBUS_SYSTEM_BUS_ADDRESS` can move. An address that D-Bus doesn't know counts as no bus.
    public init(busAddress: String? = nil) {
        self.init(Settings(busAddress: busAddress))
    }

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// What NetworkManager says now and each other answer, with a watch of its own at each access.
    ///
    /// It holds one element, the latest; equal answers do not follow each other. The watch ends when the stream is
    /// cancelled or released, also while NetworkManager owes an answer.
    public var answers: AsyncStream<Metered> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [settings] continuation in
            let bell = WakeBell()
            continuation.onTermination = { _ in bell?.ring() }
            let isStarted = bell.map { Self.startThread(settings, endsWith: $0, continuation) } ?? false
            if !isStarted { continuation.giveUp() }
        }
    }

    private static func startThread(
        _ settings: Settings,
        endsWith bell: WakeBell,
        _ continuation: AsyncStream<Metered>.Continuation
    ) -> Bool {
        SystemThread.start(name: "metered", stackSize: 512 << 10) {
            guard let library = settings.library() else { return continuation.giveUp() }
            var watch = MeteredWatch(library, settings, endsWith: bell) { continuation.yield($0) }
            watch.run()
        }
    }
}

extension AsyncStream<Metered>.Continuation {
    fileprivate func giveUp() {
        yield(.unknown)
        finish()
    }
}
