import CLinux
import Glibc

/// A file system in memory with little room, which no other process sees and which is gone with its object.
///
/// It needs the same right as a ``NetworkNamespace``.
public final class SmallDisk: Sendable {
    private let descriptor: Int32

    /// Its root, for this process.
    public var path: String { "/proc/self/fd/\(descriptor)" }

    /// Makes one with so many bytes of room, in whole pages; throws what the system said when it may not.
    public init(size: Int) throws {
        descriptor = try onNewThread {
            try check(asynckit_unshare_mounts(), "unshare the mounts")
            try check(asynckit_mount_memory("/tmp", "size=\(size)"), "mount a tmpfs")
            // The descriptor alone keeps it, once the thread and its mounts are gone.
            return try check(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open the tmpfs")
        }
    }

    deinit {
        close(descriptor)
    }
}
