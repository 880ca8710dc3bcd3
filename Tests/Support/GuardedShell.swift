import Glibc

/// A shell script that notices when nobody holds its object any more, or when the process that started it is dead.
///
/// Its standard output is a socket: reading from it, such as by `cat <&1`, ends at that moment.
final class GuardedShell: Sendable {
    private let pid: pid_t
    private let output: Int32

    /// Starts a script with its arguments, `$1` and so on.
    init(_ script: String, _ arguments: [String]) throws {
        (output, pid) = try ChildProcess.start("/bin/sh", ["-c", script, "sh"] + arguments)
    }

    /// Waits until the script has come to its end.
    deinit {
        close(output)
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }

    /// The next line that it prints, or what there is of it when the script ends; blocks until then.
    func readLine() -> String {
        ChildProcess.readLine(output)
    }
}
