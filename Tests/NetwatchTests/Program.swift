import AsyncPrimitives
import CLinux
import Glibc
import Support

/// The program netwatch while it runs, on a pipe or on a terminal of its own.
final class Program: Sendable {
    static let path = ChildProcess.productFolder + "/netwatch"

    /// All that it has written so far, on both of its outputs.
    let output = State("")
    /// How it ended, as shells say it.
    let status = State<Int32>()

    private let pid: pid_t
    private let end: Int32

    fileprivate init(
        _ arguments: [String],
        in network: NetworkNamespace,
        reading end: Int32,
        _ connect: @escaping @Sendable (inout posix_spawn_file_actions_t) -> Void
    ) throws {
        self.end = end
        pid = try network.inside { try spawn([Self.path] + arguments, connect) }
        let isStarted = SystemThread.start(name: "test-netwatch") { [output, status, pid] in
            readAll(end, into: output)
            status.set(wait(for: pid))
            output.finish()
        }
        if !isStarted { throw CallFailure(call: "start a thread", number: EAGAIN) }
    }

    deinit {
        if status.latest == nil { kill(pid, SIGKILL) }
    }

    /// Waits until the output meets the condition; false when the program ends first.
    func writes(_ condition: @Sendable (String) -> Bool) async -> Bool {
        for await output in output.stream where condition(output) { return true }
        return false
    }

    /// Waits for its end.
    func exitStatus() async -> Int32? {
        for await status in status.stream { return status }
        return nil
    }

    func send(_ signal: Int32) {
        kill(pid, signal)
    }

    /// Presses keys on its terminal.
    func type(_ text: String) {
        _ = write(end, text, text.utf8.count)
    }

    func resizeTerminal(columns: UInt16) throws {
        try setSize(of: end, columns)
    }
}

extension Program {
    /// Starts it in a network with its outputs in a pipe.
    static func inPipe(_ arguments: String..., in network: NetworkNamespace) throws -> Program {
        var ends: [Int32] = [0, 0]
        try require(pipe(&ends), "pipe")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        return try Program(arguments, in: network, reading: ends[0]) { [writer = ends[1]] actions in
            posix_spawn_file_actions_adddup2(&actions, writer, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, writer, STDERR_FILENO)
        }
    }

    /// Starts it in a network on a terminal, in the foreground.
    static func inTerminal(
        _ arguments: String...,
        columns: UInt16,
        in network: NetworkNamespace
    ) throws -> Program {
        let keyboard = try require(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC), "open /dev/ptmx")
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), which the C library's functions for it use.
        var number: Int32 = 0
        try require(ioctl(keyboard, 0x4004_5431, &number), "unlock the terminal")
        try require(ioctl(keyboard, 0x8004_5430, &number), "number the terminal")
        try setSize(of: keyboard, columns)
        return try Program(arguments, in: network, reading: keyboard) { [number] actions in
            // The first terminal that the leader of a session opens is the one that controls it.
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/pts/\(number)", O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        }
    }
}

private struct CallFailure: Error {
    let call: String
    let number: Int32
}

@discardableResult
private func require(_ result: Int32, _ call: String) throws -> Int32 {
    if result >= 0 { return result }
    throw CallFailure(call: call, number: errno)
}

private func setSize(of terminal: Int32, _ columns: UInt16) throws {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try require(ioctl(terminal, UInt(TIOCSWINSZ), &size), "TIOCSWINSZ")
}

private func spawn(
    _ words: [String],
    _ connect: (inout posix_spawn_file_actions_t) -> Void
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    connect(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The thread that starts it may have signals blocked, which a program inherits.
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    // 0x80 is POSIX_SPAWN_SETSID, which needs _GNU_SOURCE.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | 0x80)
    return try start(
        words[0],
        words,
        environment: ["TERM=xterm", "LANG=C.UTF-8", "TZ=UTC"],
        &actions,
        &attributes
    )
}

private func start(
    _ path: String,
    _ words: [String],
    environment: [String],
    _ actions: inout posix_spawn_file_actions_t,
    _ attributes: inout posix_spawnattr_t
) throws -> pid_t {
    let words: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let environment: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in words + environment { free(text) } }
    var pid: pid_t = 0
    let number = posix_spawn(&pid, path, &actions, &attributes, words, environment)
    if number != 0 { throw CallFailure(call: "posix_spawn", number: number) }
    return pid
}

private func readAll(_ descriptor: Int32, into output: State<String>) {
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        // A terminal that nobody has open any more says EIO.
        if count <= 0 { return }
        bytes += buffer[..<count]
        output.set(String(decoding: bytes, as: UTF8.self))
    }
}

private func wait(for pid: pid_t) -> Int32 {
    var code: Int32 = 0
    while waitpid(pid, &code, 0) < 0, errno == EINTR {}
    let signal = code & 0x7f
    return signal == 0 ? (code >> 8) & 0xff : 128 + signal
}
