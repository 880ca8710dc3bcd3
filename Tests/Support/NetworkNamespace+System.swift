internal import Glibc

/// A system call that failed, or a program that ended with an error.
struct SystemError: Error, CustomStringConvertible {
    let description: String

    init(_ what: String) {
        description = "\(what): \(String(cString: strerror(errno)))"
    }

    init(status: Int32, of command: String, saying output: String) {
        description = "\(command) ended with status \(status): \(output)"
    }
}

/// Runs the body on a thread made for it, and waits.
func onNewThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let job = ThreadJob(body)
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(job as AnyThreadJob)
    let status = pthread_create(
        &thread,
        nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<AnyThreadJob>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        },
        argument.toOpaque()
    )
    guard status == 0 else {
        argument.release()
        errno = status
        throw SystemError("pthread_create")
    }
    pthread_join(thread, nil)
    return try job.result()
}

private class AnyThreadJob {
    func run() {}
}

/// Reached by the new thread until it ends and by the one that joined it afterwards, never by both.
private final class ThreadJob<Value: Sendable>: AnyThreadJob {
    private let body: @Sendable () throws -> Value
    private var outcome: Result<Value, any Error>?

    init(_ body: @escaping @Sendable () throws -> Value) {
        self.body = body
    }

    override func run() {
        outcome = Result(catching: body)
    }

    func result() throws -> Value {
        guard let outcome else { throw SystemError("the thread did not run") }
        return try outcome.get()
    }
}

/// Runs a program found in PATH, in the namespaces of the calling thread; its output shows in the error only.
func runProcess(_ program: String, _ arguments: [String]) throws {
    let output = try TemporaryTextFile("")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_APPEND, 0)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)

    var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { argv.forEach { free($0) } }
    argv.append(nil)
    var process = pid_t()
    errno = posix_spawnp(&process, program, &actions, nil, argv, environ)
    guard errno == 0 else { throw SystemError("start \(program)") }

    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
        guard errno == EINTR else { throw SystemError("waitpid") }
    }
    guard status == 0 else {
        let command = ([program] + arguments).joined(separator: " ")
        throw SystemError(status: status, of: command, saying: try readFile(output.path))
    }
}

func readFile(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        guard count >= 0 else { throw SystemError("read \(path)") }
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += chunk.prefix(count)
    }
}

/// A file in the temporary directory that is removed with its object.
final class TemporaryTextFile {
    let path: String

    init(_ text: String) throws {
        var template = Array("/tmp/asynckit-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError("mkstemp") }
        defer { close(descriptor) }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemError("write \(path)") }
    }

    deinit {
        unlink(path)
    }
}
