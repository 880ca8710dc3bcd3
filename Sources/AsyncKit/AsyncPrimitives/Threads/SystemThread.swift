import CLinux
import Glibc

/// A detached POSIX thread with a name.
package enum SystemThread {
    /// Starts a thread; false when the system gives none, and then the body does not run.
    ///
    /// The stack may grow to 8 MiB unless said otherwise and costs what is touched; a name longer than 15 bytes is cut, pthread_setname_np(3).
    package static func start(
        name: String,
        stackSize: Int = 8 << 20,
        _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)

        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let status = pthread_create(&thread, &attributes, runThread, start.toOpaque())
        if status != 0 { start.release() }
        return status == 0
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    asynckit_set_thread_name(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
    start.body()
    return nil
}
