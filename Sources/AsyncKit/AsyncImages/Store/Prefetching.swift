/// The requests that wait to be prefetched, and how many tasks work on them.
struct Prefetching {
    private var queue: [ImageRequest] = []
    private var next = 0
    private var wanted: Set<PictureKey> = []
    private var workers = 0
    private let maximumWorkers: Int
    private let maximumCount: Int

    init(_ configuration: ImageStore.Configuration) {
        maximumWorkers = max(1, configuration.maximumPrefetches)
        maximumCount = configuration.maximumPrefetchQueue
    }

    /// Adds a request at the end, unless it waits already or the queue is full; true if one more worker shall start.
    mutating func add(_ request: ImageRequest) -> Bool {
        guard wanted.count < maximumCount, wanted.insert(request.picture).inserted else { return false }
        queue.append(request)
        guard workers < maximumWorkers else { return false }
        workers += 1
        return true
    }

    /// The next request for a worker; nil ends the worker.
    mutating func take() -> ImageRequest? {
        guard next < queue.count else {
            queue = []
            next = 0
            workers -= 1
            return nil
        }
        let request = queue[next]
        next += 1
        wanted.remove(request.picture)
        dropTaken()
        return request
    }

    mutating func remove(_ source: String) {
        let dropped = wanted.filter { $0.source == source }
        guard !dropped.isEmpty else { return }
        wanted.subtract(dropped)
        queue.removeSubrange(..<next)
        next = 0
        queue.removeAll { $0.source == source }
    }

    mutating func removeAll() {
        wanted = []
        queue = []
        next = 0
    }

    /// Gives back the room of what was taken once it is half of the array, so that each URL is moved once.
    private mutating func dropTaken() {
        guard next > 32, next * 2 > queue.count else { return }
        queue.removeSubrange(..<next)
        next = 0
    }
}
