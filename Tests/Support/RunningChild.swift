import AsyncPrimitives
import Glibc

/// A program that runs until it is told to end, or until its object is gone.
public final class RunningChild: Sendable {
    private let pid: Lock<pid_t?>
    private let output: Int32

    /// Starts a program; throws what the system said when it can't.
    public init(_ path: String, _ arguments: [String]) throws {
        let child = try ChildProcess.start(path, arguments)
        pid = Lock(child.pid)
        output = child.output
    }

    deinit {
        kill()
        close(output)
    }

    /// The next line that it prints, or what there is of it when the program ends; blocks until then.
    public func readLine() -> String {
        ChildProcess.readLine(output)
    }

    /// Sends a signal to it; does nothing once it was killed.
    public func signal(_ number: Int32) {
        pid.withLock { pid in
            if let pid { _ = Glibc.kill(pid, number) }
        }
    }

    /// Ends it without asking and waits until it is gone; the second time does nothing.
    public func kill() {
        let ended = pid.withLock { pid in
            defer { pid = nil }
            return pid
        }
        guard let ended else { return }
        _ = Glibc.kill(ended, SIGKILL)
        while waitpid(ended, nil, 0) < 0, errno == EINTR {}
    }
}
