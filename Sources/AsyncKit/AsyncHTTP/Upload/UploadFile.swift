import AsyncPrimitives
import Glibc

/// A file that is sent: opened, and as long as it was then.
final class UploadFile: Sendable {
    static let pieceSize = 64 * 1024

    let path: String
    let length: Int
    private let descriptor: Int32

    private init(path: String, descriptor: Int32, length: Int) {
        self.path = path
        self.descriptor = descriptor
        self.length = length
    }

    deinit {
        close(descriptor)
    }

    /// Opens a regular file; a file system that doesn't answer is not waited for any longer than allowed.
    static func open(_ path: String, within limit: Duration) async throws(HTTPClient.Error) -> UploadFile {
        try await run(path, within: limit) { try UploadFile(opened: path) }
    }

    /// Reads the piece at a place, which must be before the end.
    func piece(at place: Int) async throws(HTTPClient.Error) -> [UInt8] {
        try await Self.run(path) { [self] in try read(at: place) }
    }

    /// A call that is cancelled is left to its thread: it changes nothing.
    private static func run<Success: Sendable>(
        _ path: String,
        within limit: Duration? = nil,
        _ work: @escaping @Sendable () throws -> Success
    ) async throws(HTTPClient.Error) -> Success {
        do {
            guard let limit else { return try await ThreadPool.shared.run(work) }
            return try await withDeadline(limit) { try await ThreadPool.shared.run(work) }
        } catch let failure as FileFailure {
            throw .file(path: path, reason: failure.reason)
        } catch is DeadlineExceeded {
            throw .file(path: path, reason: "it could not be opened in time")
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .system("no thread is left to read “\(path)”")
        }
    }
}

extension UploadFile {
    /// Without O_NONBLOCK, a pipe that nobody writes to would hold the thread until somebody does.
    private convenience init(opened path: String) throws(FileFailure) {
        guard !path.utf8.contains(0) else { throw FileFailure(errno: EINVAL) }
        let descriptor = try check(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileFailure("it is no regular file")
        }
        self.init(path: path, descriptor: descriptor, length: Int(status.st_size))
    }

    private func read(at place: Int) throws(FileFailure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: min(Self.pieceSize, length - place)) { room, count in
            var result = pread(descriptor, room.baseAddress, room.count, place)
            while result < 0, errno == EINTR {
                result = pread(descriptor, room.baseAddress, room.count, place)
            }
            failure = result < 0 ? errno : 0
            count = max(0, result)
        }
        if failure != 0 { throw FileFailure(errno: failure) }
        if bytes.isEmpty { throw FileFailure("it became shorter while it was sent") }
        return bytes
    }
}
