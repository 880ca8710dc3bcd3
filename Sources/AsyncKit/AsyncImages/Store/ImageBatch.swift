import AsyncPrimitives

/// The answers to many requests, in the order they come; what ``ImageStore/responses(for:)`` returns.
///
/// ```swift
/// let requests = ["https://example.org/a.png", "https://example.org/b.png"].map { ImageRequest($0) }
/// for await (index, result) in ImageStore.shared.responses(for: requests) {
///     print(requests[index].url, (try? result.get().origin) as Any)
/// }
/// ```
///
/// Requests are made as answers are taken: at most ``ImageStore/Configuration/maximumBatch`` are under way or wait to be
/// taken at once, so a slow reader holds few pictures. Leaving the loop, or cancelling its task, cancels the rest.
/// Each iterator makes the requests anew.
public struct ImageBatch: AsyncSequence, Sendable {
    /// The place of a request among those given, and what came of it.
    public typealias Element = (index: Int, result: Result<ImageResponse, ImageStore.Error>)

    let store: ImageStore
    let requests: [ImageRequest]

    /// Starts the requests when the first answer is asked for.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, requests: requests)
    }

    /// Takes the answers one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let tasks: BatchTasks

        init(store: ImageStore, requests: [ImageRequest]) {
            tasks = BatchTasks(store: store, requests: requests)
        }

        /// The next answer that comes, or nil after the last, or when the calling task is cancelled.
        public mutating func next() async -> Element? {
            await tasks.next()
        }
    }
}

extension ImageStore {
    /// Asks for many pictures; the answers come in the order they are there.
    ///
    /// - Parameter requests: Where the pictures are and how they are wanted.
    /// - Returns: One element for each request, an error for each that fails.
    public nonisolated func responses(for requests: [ImageRequest]) -> ImageBatch {
        ImageBatch(store: self, requests: requests)
    }
}

/// The tasks of one iteration; the last reference to it cancels them.
private final class BatchTasks: Sendable {
    private struct Progress {
        var started = 0
        var taken = 0
        var tasks: [Int: Task<Void, Never>] = [:]

        /// Counts one more request as started, if the window has room for it.
        mutating func start(upTo window: Int, of count: Int) -> Int? {
            guard started < count, started - taken < window else { return nil }
            started += 1
            return started - 1
        }
    }

    private let store: ImageStore
    private let requests: [ImageRequest]
    private let answers = AsyncStream.makeStream(of: ImageBatch.Element.self)
    private let progress = Lock(Progress())

    init(store: ImageStore, requests: [ImageRequest]) {
        self.store = store
        self.requests = requests
    }

    deinit {
        cancel()
    }

    func next() async -> ImageBatch.Element? {
        startMore()
        guard progress.withLock({ $0.taken < requests.count }) else { return nil }
        for await answer in answers.stream {
            progress.withLock { progress in
                progress.taken += 1
                progress.tasks[answer.index] = nil
            }
            return answer
        }
        cancel()
        return nil
    }

    private func startMore() {
        let window = max(1, store.configuration.maximumBatch)
        while let index = progress.withLock({ $0.start(upTo: window, of: requests.count) }) {
            let task = start(index)
            progress.withLock { $0.tasks[index] = task }
        }
    }

    private func start(_ index: Int) -> Task<Void, Never> {
        Task { [store, request = requests[index], answers = answers.continuation] in
            let result: Result<ImageResponse, ImageStore.Error>
            do throws(ImageStore.Error) {
                result = .success(try await store.response(for: request))
            } catch {
                result = .failure(error)
            }
            answers.yield((index, result))
        }
    }

    private func cancel() {
        let tasks = progress.withLock { progress in
            defer { progress.tasks = [:] }
            return progress.tasks
        }
        for task in tasks.values { task.cancel() }
        answers.continuation.finish()
    }
}
