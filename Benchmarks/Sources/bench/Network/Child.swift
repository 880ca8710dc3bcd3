import Foundation
import Glibc

/// A process with pipes to its standard input and output; killed with its object.
///
/// Foundation's Process needs a run loop and a socket to notice an end, and here are namespaces without either.
final class Child {
    /// The program that runs now.
    static let ownPath = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

    let pid: pid_t
    private(set) var input: Int32
    let output: Int32
    private var status: Int32?

    // Where `errors` is nil, standard error goes where ours does.
    init(_ words: [String], variables: [String: String] = [:], errors: Int32? = nil) throws {
        let (stdin, stdout) = (try Self.pipe(), try Self.pipe())
        defer { for end in [stdin.read, stdout.write] { close(end) } }
        (input, output) = (stdin.write, stdout.read)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdin.read, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, stdout.write, STDOUT_FILENO)
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }

        let environment = Self.environment.merging(variables) { $1 }.map { "\($0)=\($1)" }
        var number: pid_t = 0
        let failure = Self.withCStrings(words) { arguments in
            Self.withCStrings(environment) { posix_spawnp(&number, words[0], &actions, nil, arguments, $0) }
        }
        if failure != 0 {
            for end in [input, output] { close(end) }
            throw Failure(description: "\(words[0]) can't be run: \(String(cString: strerror(failure)))")
        }
        pid = number
    }

    deinit {
        closeInput()
        close(output)
        if status == nil {
            // Also ends one that is stopped.
            kill(pid, SIGKILL)
            _ = waitForEnd()
        }
    }

    /// Lets it read the end of its input.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Returns the exit status, or 128 and the signal that ended it.
    func waitForEnd() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
        let result = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
        status = result
        return result
    }

    /// `ip` may live in directories that only root has in its PATH.
    private static let environment = ProcessInfo.processInfo.environment.merging([
        "PATH": (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
    ]) { $1 }

    static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw Failure(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func withCStrings<Value>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

/// A measurement that could not go on.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
