import CLinux
import Glibc

/// What reaches the program from outside: signals, and the end of whoever reads its output.
///
/// Signals are read from a descriptor (signalfd(2)), so what they cause is ordinary code. It must be made before
/// there are other threads: they inherit that the signals are blocked.
struct Outside {
    enum Event: Equatable {
        case signal(Int32)
        case readerLeft
    }

    private let signals: Int32

    /// - Parameter caught: The signals to report; one that was ignored when the program started stays ignored, as
    ///   `nohup` wants it. All others do what they do to any program.
    init(catching caught: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in caught where !isIgnored(signal) { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signals = caught.isEmpty ? -1 : signalfd(-1, &set, Int32(SFD_CLOEXEC))
    }

    /// Blocks the calling thread until something happens.
    func next() -> Event {
        while true {
            var entries = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                // No event is asked for: errors and the end of the reader are always reported.
                pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0 else { continue }
            if entries[0].revents != 0, let signal = readSignal() { return .signal(signal) }
            if entries[1].revents != 0 { return .readerLeft }
        }
    }

    private func readSignal() -> Int32? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(signals, &info, size) == size ? Int32(info.ssi_signo) : nil
    }
}

private func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
}
