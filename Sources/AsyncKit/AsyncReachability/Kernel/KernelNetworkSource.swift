/// The network as the Linux kernel sees it, over rtnetlink.
///
/// The kernel's messages are taken as "something changed"; what is true is then asked (`RTM_GETROUTE`), so that
/// nothing can be missed or believed too long. For the Internet that is a far address of each family, for a host its
/// own addresses. Policy routing counts. A question takes microseconds, however large the routing table is, and no
/// packet is sent; only without a way, or when it leads through a bridge, a tunnel or the like, are all links listed
/// as well.
///
/// All watches of one source share one thread, one socket that hears of changes, one that asks, a bell and a timer:
/// four descriptors, however many hosts. The thread sleeps until the kernel has something to say and is never
/// woken by a clock when nothing changes. Under a storm of changes it asks at most every 2 ms; after each change it
/// asks twice more within 260 ms, because the kernel tells of a route's end just before it. It is there while
/// somebody watches.
///
/// Host names are looked up with `getaddrinfo` on at most two more threads, one lookup at a time for each name: when
/// a watch starts, when the way to the Internet changes, when the machine wakes from suspend, and, after a failure,
/// again after 1, 2, 4 … 60 seconds. A failure without a way to the Internet is told as that lack, any other as
/// ``UnreachableReason/nameNotResolved``. The last addresses stay in force while a later lookup runs or finds no name
/// server. Whether a name server itself is near or far is not looked at.
///
/// When the kernel gives no answer, or the system not even a socket, it says ``UnreachableReason/refused`` and tries
/// again after 1, 2, 4 … 30 seconds. Where there is not even a thread to wait on, it tries again when the next watch
/// is refused.
///
/// Limits: a tunnel is believed to need another link of this machine. Where that link is elsewhere, as for a
/// WireGuard interface that was moved into a container, say so with `tunnelsNeedUnderlay: false`.
///
/// Source: netlink(7), rtnetlink(7), getaddrinfo(3), timerfd_create(2).
public final class KernelNetworkSource: DirectNetworkSource {
    /// The source that monitors use when they are given none.
    public static let shared = KernelNetworkSource()

    private let hub: KernelHub

    /// Makes a source; nothing is opened before the first watch.
    ///
    /// - Parameters:
    ///   - sysfs: Where sysfs is mounted. It is asked only about hardware, to tell Wi-Fi and modems from cables; a
    ///     link it does not show counts as a cable.
    ///   - nameTimeout: How long the lookup of a host name may take before it counts as failed. Its answer is
    ///     dropped then, unless it is being tried again already; the thread ends when the system's resolver gives up.
    ///   - tunnelsNeedUnderlay: Whether a tunnel counts only while another link with carrier and address is there.
    public convenience init(
        sysfs: String = "/sys",
        nameTimeout: Duration = .seconds(5),
        tunnelsNeedUnderlay: Bool = true
    ) {
        self.init(
            KernelSettings(
                devices: KernelDevices(sysfs: SysfsDevices(root: sysfs)),
                nameTimeout: nameTimeout,
                tunnelsNeedUnderlay: tunnelsNeedUnderlay
            )
        )
    }

    init(_ settings: KernelSettings) {
        hub = KernelHub(settings)
    }

    /// The path now and each change of it.
    ///
    /// The first watch decides whose network is watched until the last one ends: that of the namespace that the
    /// calling thread is in.
    ///
    /// - Parameter target: Where the path shall lead to.
    /// - Returns: A stream that holds one element; the watch ends when it is cancelled or released.
    public func paths(to target: NetworkTarget) -> AsyncStream<NetworkPath> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [hub] continuation in
            let id = hub.add(target) { continuation.yield($0) }
            continuation.onTermination = { _ in hub.remove(id) }
        }
    }

    func watch(
        _ target: NetworkTarget,
        deliver: @escaping @Sendable (NetworkPath) -> Void
    ) -> @Sendable () -> Void {
        let id = hub.add(target, deliver: deliver)
        return { [hub] in hub.remove(id) }
    }
}
