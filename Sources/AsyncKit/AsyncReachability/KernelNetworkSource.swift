/// The network as the Linux kernel sees it, over rtnetlink.
///
/// The kernel's messages are taken as "something changed"; what is true is then asked (`RTM_GETROUTE` for a far
/// address of each family), so that nothing can be missed or believed too long. Policy routing counts. This takes
/// six short questions at most, however large the routing table is, and no packet is sent; only without a way
/// out, or when it leads through a bridge or the like, are all links listed as well.
///
/// Each watch has one thread and three descriptors; the thread sleeps until the kernel has something to say and
/// is never woken by a timer when nothing changes. Under a storm of changes it asks at most every 2 ms.
///
/// When the kernel gives no answer it says ``UnreachableReason/refused`` and asks again every second. When the
/// system does not even give it a socket, it says the same once and does not try again before the next watch,
/// which ``ReachabilityMonitor/resume()`` starts.
///
/// Limits of this version: there is no damping, so a path that comes and goes shows as such; a tunnel whose
/// underlying link is lost counts as long as its route stays; a tunnel's mode is `other`, whatever carries it.
///
/// Source: netlink(7), rtnetlink(7).
public struct KernelNetworkSource: NetworkSource {
    private let devices: any DeviceDirectory

    /// Makes a source; nothing is opened before ``paths`` is used.
    ///
    /// - Parameter sysfs: Where sysfs is mounted. It is asked only about hardware, to tell Wi-Fi and modems
    ///   from cables; a link it does not show counts as a cable.
    public init(sysfs: String = "/sys") {
        devices = SysfsDevices(root: sysfs)
    }

    /// The path now and each change of it, in the network namespace of the thread that reads this property.
    ///
    /// The thread of the watch ends when the stream is cancelled or released.
    public var paths: AsyncStream<NetworkPath> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let watch = KernelWatch(devices: devices) { continuation.yield($0) }
            continuation.onTermination = { _ in watch.stop() }
        }
    }
}
