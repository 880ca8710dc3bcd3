import Foundation
import FoundationNetworking
import Synchronization

/// Takes a body from a session as slowly as the others do.
final class SlowDelegate: NSObject, URLSessionDataDelegate {
    private let start = ContinuousClock.now
    private let count = Atomic(0)
    private let continuation: CheckedContinuation<Int, any Error>

    private init(_ continuation: CheckedContinuation<Int, any Error>) {
        self.continuation = continuation
    }

    /// Returns how many bytes came.
    static func read(_ text: String) async throws -> Int {
        guard let url = URL(string: text) else { throw Failure(description: "\(text) is no URL") }
        return try await withCheckedThrowingContinuation { continuation in
            let delegate = SlowDelegate(continuation)
            let session = URLSession(
                configuration: .forBenchmarks(1),
                delegate: delegate,
                delegateQueue: nil
            )
            session.dataTask(with: url).resume()
            session.finishTasksAndInvalidate()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let taken = count.add(data.count, ordering: .relaxed).newValue
        let rest = ContinuousClock.now.duration(to: start + SlowReader.time(for: taken))
        if rest > .zero { Thread.sleep(forTimeInterval: rest.nanoseconds / 1e9) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { continuation.resume(throwing: error) }
        if error == nil { continuation.resume(returning: count.load(ordering: .relaxed)) }
    }
}
