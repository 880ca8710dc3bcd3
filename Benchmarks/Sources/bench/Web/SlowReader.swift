import AsyncHTTP
import Foundation

/// Reads a body no faster than a slow disk takes it.
enum SlowReader: String {
    case httpClient
    case urlSession

    /// Then the whole of it takes two and a half seconds.
    private static let bytesPerSecond = 80_000_000.0

    var label: Label {
        switch self {
        case .httpClient: Label(name: "HTTPClient.response(for:)", version: Versions.library)
        case .urlSession: Label(name: "URLSession.dataTask with delegate", version: Versions.foundation)
        }
    }

    /// Reads all of it, and returns how much memory that took in this process at its greatest.
    func peakBytes(reading url: String) async throws -> Int {
        let memory = try MemoryMeter()
        let count =
            switch self {
            case .httpClient: try await Self.readWithHTTPClient(url)
            case .urlSession: try await SlowDelegate.read(url)
            }
        guard count == WebFile.large.size else { throw Failure(description: "\(url): \(count) bytes") }
        return try memory.growth()
    }

    private static func readWithHTTPClient(_ url: String) async throws -> Int {
        let request = HTTPRequest(url: url, maximumBodySize: WebFile.large.size)
        let start = ContinuousClock.now
        var count = 0
        for try await chunk in try await HTTPClient.shared.response(for: request).body {
            count += chunk.count
            try await Task.sleep(until: start + time(for: count), clock: .continuous)
        }
        return count
    }

    /// How much time so many bytes shall take.
    static func time(for count: Int) -> Duration { .seconds(Double(count) / bytesPerSecond) }
}
