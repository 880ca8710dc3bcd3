internal import AsyncPrimitives
internal import CLinux
internal import Glibc

/// One thread that waits for the kernel to say that something changed, and then asks what is true now.
///
/// Stops when told to or when released.
final class KernelWatch: Sendable {
    private let bell: WakeBell?

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - devices: Where to look devices up.
    ///   - deliver: Called with the first path and each different one after it, in order and on the thread of
    ///     the watch; on the caller's only when there is no thread to be had. One call may still come after
    ///     ``stop()``.
    init(devices: any DeviceDirectory, deliver: @escaping @Sendable (NetworkPath) -> Void) {
        bell = WakeBell()
        let hasThread = bell.map { bell in
            SystemThread.start(name: "reachability", stackSize: 512 << 10) {
                KernelReader(bell: bell, devices: devices, deliver: deliver).run()
            }
        }
        if hasThread != true { deliver(.unreachable(.refused)) }
    }

    deinit {
        stop()
    }

    /// Makes the thread end soon and close its sockets; does not wait for that.
    func stop() {
        bell?.ring()
    }
}

/// What runs on the thread of a watch.
struct KernelReader {
    let bell: WakeBell
    let devices: any DeviceDirectory
    let deliver: @Sendable (NetworkPath) -> Void

    func run() {
        do throws(NetlinkFailure) {
            // First listen, then ask: a change in between is then seen, not lost.
            let events = try EventSocket()
            let finder = PathFinder(tables: try KernelRoutingTables(), devices: devices)
            try follow(events, finder)
        } catch {
            deliver(.unreachable(.refused))
        }
    }

    private func follow(
        _ events: EventSocket,
        _ finder: PathFinder<KernelRoutingTables>
    ) throws(NetlinkFailure) {
        var pace = ResyncPace()
        var last: NetworkPath?
        pace.mark()
        repeat {
            if try events.drain() { pace.mark() }
            guard pace.isDue(at: .now) else { continue }
            let path = finder.path()
            pace.done(at: .now, answered: path != .unreachable(.refused))
            if path != last { deliver(path) }
            last = path
        } while try wait(for: events, atMost: pace.wait(at: .now))
    }

    /// Sleeps until there is an event, or the bell rings, which is the end (`false`).
    private func wait(for events: EventSocket, atMost limit: Duration?) throws(NetlinkFailure) -> Bool {
        var entries = [
            pollfd(fd: bell.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: events.descriptor.number, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&entries, nfds_t(entries.count), ResyncPace.milliseconds(limit))
        guard count >= 0 || errno == EINTR else { throw NetlinkFailure.last }
        return entries[0].revents == 0
    }
}
