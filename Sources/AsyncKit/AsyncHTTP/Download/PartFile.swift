internal import AsyncPrimitives

/// The file that a download is written to until it is whole, beside the one that it shall replace.
///
/// Each call runs on a thread of the pool for blocking calls and is waited for even by a cancelled task, so that no
/// two of them meet. `place()` that succeeds, or `discard()`, is the last one.
struct PartFile: Sendable {
    let directory: Int32
    let descriptor: Int32
    /// The name while it is written, and the name afterwards.
    let draft: String
    let name: String
    let mode: UInt32
    private let path: String

    init(directory: Int32, descriptor: Int32, draft: String, name: String, mode: UInt32, path: String) {
        self.directory = directory
        self.descriptor = descriptor
        self.draft = draft
        self.name = name
        self.mode = mode
        self.path = path
    }

    /// Makes the file, which only its owner may read.
    static func make(for path: String) async throws(HTTPClient.Error) -> PartFile {
        try await run(path) { () throws(FileFailure) in try PartFile(openedFor: path) }
    }

    /// Writes a piece at a place.
    func write(_ bytes: [UInt8], at place: Int) async throws(HTTPClient.Error) {
        try await Self.run(path) { () throws(FileFailure) in try writeAll(bytes, at: place) }
    }

    /// Drops what lies behind a place.
    func cut(to size: Int) async throws(HTTPClient.Error) {
        try await Self.run(path) { () throws(FileFailure) in try truncate(to: size) }
    }

    /// Waits until the bytes are on the disk.
    func sync() async throws(HTTPClient.Error) {
        try await Self.run(path) { () throws(FileFailure) in try flush() }
    }

    /// Gives the file its name, and lets go of it.
    func place() async throws(HTTPClient.Error) {
        try await Self.run(path) { () throws(FileFailure) in try rename() }
    }

    /// Removes the file.
    func discard() async {
        let outcome = try? await ThreadPool.shared.runToTheEnd { remove() }
        // Without a thread rather here than not at all.
        if outcome == nil { remove() }
    }

    private static func run<Success: Sendable>(
        _ path: String,
        _ work: @escaping @Sendable () throws(FileFailure) -> Success
    ) async throws(HTTPClient.Error) -> Success {
        let outcome: Result<Success, FileFailure>
        do throws(ThreadPool.Error) {
            outcome = try await ThreadPool.shared.runToTheEnd(work)
        } catch {
            throw .system("no thread is left to write “\(path)”")
        }
        switch outcome {
        case .success(let value): return value
        case .failure(let failure): throw .file(path: path, reason: failure.reason)
        }
    }
}
