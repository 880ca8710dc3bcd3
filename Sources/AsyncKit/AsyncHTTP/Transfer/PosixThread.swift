import CLinux
import Glibc

/// A detached thread that no signal handler of the program runs on.
enum PosixThread {
    /// Starts a thread; returns the system's words when there is none left.
    ///
    /// All signals are blocked on it: handlers run on threads that expect them, and SIGPIPE, which OpenSSL
    /// raises when a peer is gone, comes to nothing.
    static func start(name: StaticString, _ body: @escaping @Sendable () -> Void) -> String? {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        let status = withAllSignalsBlocked { create(start) }
        guard status != 0 else { return nil }
        start.release()
        return String(cString: strerror(status))
    }

    private static func create(_ start: Unmanaged<Start>) -> Int32 {
        var thread = pthread_t()
        let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            guard let argument else { return nil }
            Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }
        let status = pthread_create(&thread, nil, entry, start.toOpaque())
        if status == 0 { pthread_detach(thread) }
        return status
    }

    private static func withAllSignalsBlocked(_ body: () -> Int32) -> Int32 {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}

private final class Start: Sendable {
    private let name: StaticString
    private let body: @Sendable () -> Void

    init(name: StaticString, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        name.withUTF8Buffer { name in
            guard let text = UnsafeRawPointer(name.baseAddress) else { return }
            _ = asynckit_set_thread_name(text.assumingMemoryBound(to: CChar.self))
        }
        body()
    }
}
