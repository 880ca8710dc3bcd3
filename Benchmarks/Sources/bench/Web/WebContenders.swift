import AsyncHTTP
import CurlLoop
import Foundation
import FoundationNetworking

extension Contender {
    static func httpClient(_ load: Load) -> Contender {
        var configuration = HTTPClient.Configuration()
        configuration.maximumConnections = Load.maximumConnections
        configuration.maximumConnectionsPerHost = Load.maximumConnections
        let client = HTTPClient(configuration: configuration)
        let request = HTTPRequest(url: load.url)
        return Contender(name: "HTTPClient.data(for:)", version: Versions.library) { operations in
            // Any status but success is thrown.
            try await load.run(operations) { (200, try await client.data(for: request).count) }
        }
    }

    static func urlSession(_ load: Load) throws -> Contender {
        let session = Session(URLSession(configuration: .forBenchmarks(load.concurrency)))
        guard let url = URL(string: load.url) else { throw Failure(description: "\(load.url) is no URL") }
        return Contender(name: "URLSession.dataTask", version: Versions.foundation) { operations in
            try await load.run(operations) { try await session.get(url) }
        }
    }

    static func curlLoop(_ load: Load) throws -> Contender {
        let loop = try CurlLoop(load)
        let version = "libcurl \(String(cString: curl_loop_version()))"
        return Contender(name: "curl_multi_poll loop in C", version: version) { operations in
            try await onThread { try ContinuousClock().measure { try loop.run(operations) } }
        }
    }
}

extension URLSessionConfiguration {
    /// Without what the others do not have either.
    static func forBenchmarks(_ connections: Int) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = connections
        return configuration
    }
}

/// A session, which keeps itself and its threads until it is told to end.
private final class Session: Sendable {
    private let session: URLSession

    init(_ session: URLSession) {
        self.session = session
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// By callback: `data(for:)` can't be relied on to return.
    func get(_ url: URL) async throws -> (status: Int, size: Int) {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: url) { data, response, error in
                guard let data, let response = response as? HTTPURLResponse else {
                    return continuation.resume(throwing: error ?? Failure(description: "no answer"))
                }
                continuation.resume(returning: (response.statusCode, data.count))
            }
            .resume()
        }
    }
}

/// The loop in C, for one thread at a time.
private final class CurlLoop: @unchecked Sendable {
    // The harness takes one sample after the other.
    private let loop: OpaquePointer
    private let load: Load

    init(_ load: Load) throws {
        guard let loop = curl_loop_make(load.concurrency) else {
            throw Failure(description: "libcurl can't be used")
        }
        self.loop = loop
        self.load = load
    }

    deinit {
        curl_loop_free(loop)
    }

    func run(_ operations: Int) throws {
        if let message = curl_loop_run(loop, load.url, load.size, operations) {
            throw Failure(description: "\(load.url): \(String(cString: message))")
        }
    }
}
