import AsyncPrimitives
import Glibc

/// Memory pressure as the kernel tells it: tasks were stalled for want of memory (PSI).
///
/// ```swift
/// for await _ in PressureStallSource.shared.pressures { print("memory is short") }
/// ```
///
/// It watches the process's own control group where that has a `memory.pressure` file (cgroup v2), so a container is
/// warned of its own limit, and the whole machine elsewhere. It tells when some task was stalled for 150 ms within
/// 2 seconds, at most once in 2 seconds; 2 is also the window that the kernel allows to everyone.
///
/// One thread of the process sleeps in poll(2) from the first subscription on, and one descriptor is open. Where the
/// kernel has no PSI, the streams stay silent. Source: the kernel's Documentation/accounting/psi.rst.
public final class PressureStallSource: MemoryPressureSource {
    /// The source for the whole process.
    public static let shared = PressureStallSource(files: PressureFile.candidates())

    private let files: [String]
    private let events = Events<Void>(capacity: 1)
    private let isStarted = Lock(false)

    init(files: [String]) {
        self.files = files
    }

    /// One element each time memory has become short, from now on.
    public var pressures: AsyncStream<Void> {
        defer { start() }
        return events.stream
    }

    private func start() {
        let isFirst = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        guard isFirst, let trigger = files.lazy.compactMap(PressureFile.openTrigger).first else { return }
        _ = SystemThread.start(name: "memory pressure", stackSize: 256 << 10) { [events] in
            while PressureFile.waitForStall(trigger) { events.send(()) }
        }
    }
}
