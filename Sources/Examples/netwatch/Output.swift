import Glibc

/// Standard output and standard error, without a buffer between.
enum Output {
    /// Writes all of it before it returns, and ends the program when that can't be.
    static func write(_ text: String) {
        if write(text, to: STDOUT_FILENO) { return }
        let number = errno
        // Whoever reads has had enough, which is not worth a word.
        if number == EPIPE { die(of: SIGPIPE) }
        fail("The output can't be written: \(String(cString: strerror(number))).", status: 3)
    }

    /// Writes to a terminal that may be gone.
    static func attempt(_ text: String) {
        _ = write(text, to: STDOUT_FILENO)
    }

    static func fail(_ message: String, status: Int32) -> Never {
        _ = write("netwatch: \(message)\n", to: STDERR_FILENO)
        exit(status)
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                waitForRoom(descriptor)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Another program may have made a shared terminal or pipe non-blocking.
    private static func waitForRoom(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
    }
}

/// Ends the program as if nobody had caught the signal, so that shells and service managers see what it was.
func die(of signal: Int32) -> Never {
    Glibc.signal(signal, SIG_DFL)
    raiseUnblocked(signal)
    exit(128 + signal)
}

/// Raises a signal that may be blocked and takes its effect before it returns, if the program is still there then.
func raiseUnblocked(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    var before = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    raise(signal)
    pthread_sigmask(SIG_SETMASK, &before, nil)
}
