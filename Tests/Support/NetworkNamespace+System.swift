import AsyncPrimitives
import Dispatch
import Glibc

/// A system call that failed, or a program that ended with an error.
struct NamespaceError: Error, CustomStringConvertible {
    let description: String
}

/// Passes on what a system call returned, unless that is an error.
@discardableResult
func check(_ result: Int32, _ call: String) throws -> Int32 {
    if result >= 0 { return result }
    throw NamespaceError(description: "\(call): \(String(cString: strerror(errno)))")
}

/// Runs the body on a thread made for it and blocks until it is done.
///
/// A namespace is a property of a thread, so it must be one that nobody else uses afterwards.
func onNewThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let outcome = Lock<Result<Value, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let isStarted = SystemThread.start(name: "test-namespace") {
        let result = Result { try body() }
        outcome.withLock { $0 = result }
        isDone.signal()
    }
    guard isStarted else { throw NamespaceError(description: "the system gives no thread") }
    isDone.wait()
    guard let result = outcome.withLock({ $0 }) else {
        throw NamespaceError(description: "the thread left no result")
    }
    return try result.get()
}

/// A few lines, such as commands for `ip -batch`, in a file that is removed with its object.
final class BatchFile: Sendable {
    let path: String

    init(_ lines: [String]) throws {
        let (descriptor, path) = try makeTemporaryFile(for: "batch")
        defer { close(descriptor) }
        self.path = path
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw NamespaceError(description: "write \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        unlink(path)
    }
}
