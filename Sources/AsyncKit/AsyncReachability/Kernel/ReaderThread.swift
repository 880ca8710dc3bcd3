internal import CLinux
internal import Glibc

/// A thread that runs one body and ends.
enum ReaderThread {
    /// Starts the thread; it is in the network namespace of the caller and takes no signals.
    ///
    /// - Returns: False when the system has no thread to give.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 << 10)
        return withSignalsBlocked { create(&attributes, Job(name: name, body: body)) }
    }

    private static func create(_ attributes: inout pthread_attr_t, _ job: Job) -> Bool {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(job)
        let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            guard let argument else { return nil }
            let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
            _ = asynckit_set_thread_name(job.name)
            job.body()
            return nil
        }
        let status = pthread_create(&thread, &attributes, main, argument.toOpaque())
        if status != 0 { argument.release() }
        return status == 0
    }

    /// A new thread inherits the mask, so a program's signal handlers never run on it.
    private static func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }

    private final class Job: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
