import CLinux
import Glibc

/// The thread that runs the calling code.
public enum CurrentThread {
    /// The kernel's id of it; gettid(2).
    public static var id: Int32 { asynckit_gettid() }

    /// Whether it is the one that the process started with.
    public static var isMain: Bool { asynckit_gettid() == getpid() }

    /// Its name as `ps` shows it.
    public static var name: String {
        String(readText("/proc/thread-self/comm").prefix { $0 != "\n" })
    }
}
