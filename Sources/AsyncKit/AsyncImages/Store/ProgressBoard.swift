import AsyncHTTP
import AsyncPrimitives

/// Who wants to hear of the progress of each download.
final class ProgressBoard: Sendable {
    typealias Handler = @Sendable (HTTPProgress) -> Void

    private struct Listeners {
        var handlers: [ImageLoader.Download: [Int: Handler]] = [:]
        var lastNumber = 0
    }

    private let listeners = Lock(Listeners())

    /// Lets a handler hear of a download while `body` runs.
    func listening<Result: Sendable>(
        to download: ImageLoader.Download,
        _ handler: Handler?,
        _ body: () async -> Result
    ) async -> Result {
        guard let handler else { return await body() }
        let number = listeners.withLock { listeners in
            listeners.lastNumber += 1
            listeners.handlers[download, default: [:]][listeners.lastNumber] = handler
            return listeners.lastNumber
        }
        defer { leave(download, number) }
        return await body()
    }

    private func leave(_ download: ImageLoader.Download, _ number: Int) {
        listeners.withLock { listeners in
            listeners.handlers[download]?[number] = nil
            if listeners.handlers[download]?.isEmpty == true { listeners.handlers[download] = nil }
        }
    }

    /// Runs a transfer with a meter and passes on what it shows; a slow handler misses values and delays nothing.
    func reporting<Result: Sendable>(
        _ download: ImageLoader.Download,
        _ transfer: (HTTPProgressMeter) async throws -> Result
    ) async throws -> Result {
        let meter = HTTPProgressMeter()
        let values = meter.values
        let report = Task { for await progress in values { tell(download, progress) } }
        defer { report.cancel() }
        return try await transfer(meter)
    }

    private func tell(_ download: ImageLoader.Download, _ progress: HTTPProgress) {
        let handlers = listeners.withLock { $0.handlers[download].map { Array($0.values) } ?? [] }
        for handler in handlers { handler(progress) }
    }
}
