import CLinux
import Glibc

/// The calling thread, told from every other one.
struct Thread: Hashable {
    private let id: pid_t

    static var current: Thread { Thread(id: asynckit_gettid()) }
}

enum ProcessInfo {
    /// How many cores the process may use, and so how many threads the cooperative pool has.
    static var coreCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
