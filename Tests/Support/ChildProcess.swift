import Glibc

/// A program run to its end, and what it printed.
public struct ChildProcess: Sendable {
    /// The exit status; 128 plus the signal's number when a signal ended it, as shells say it.
    public let status: Int32

    /// Standard output and standard error together.
    public let output: String

    /// The folder of the program that runs now, where the package's other programs are built to.
    public static var productFolder: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// Runs a program and waits for it; blocks the calling thread, so call it through `onThread`.
    public static func run(_ path: String, _ arguments: [String]) throws -> ChildProcess {
        let (ours, pid) = try start(path, arguments)
        defer { close(ours) }
        let output = readAll(ours)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return ChildProcess(status: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: output)
    }

    /// A system call that failed.
    public struct Failure: Error, CustomStringConvertible {
        let call: String
        let number: Int32

        /// What failed and how.
        public var description: String { "\(call) failed with errno \(number)." }
    }

    /// Starts a program, and returns the descriptor to read its output from.
    static func start(_ path: String, _ arguments: [String]) throws -> (output: Int32, pid: pid_t) {
        var ends: [Int32] = [0, 0]
        // Not a pipe: without pipe2(2), which Swift doesn't see, a child that is started by another thread at the
        // same moment would inherit its end, and whoever reads waits for that child too.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw Failure(call: "socketpair", number: errno)
        }
        defer { close(ends[1]) }
        do {
            return (ends[0], try spawn(path, arguments, output: ends[1]))
        } catch {
            close(ends[0])
            throw error
        }
    }

    private static func spawn(_ path: String, _ arguments: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)

        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var pid: pid_t = 0
        let status = posix_spawn(&pid, path, &actions, nil, words, environ)
        if status != 0 { throw Failure(call: "posix_spawn(\(path))", number: status) }
        return pid
    }

    /// Reads byte by byte, so that nothing after the line is taken.
    static func readLine(_ descriptor: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    private static func readAll(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
