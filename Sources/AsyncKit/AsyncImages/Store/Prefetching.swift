/// The URLs that wait to be prefetched, and how many tasks work on them.
struct Prefetching {
    private var queue: [String] = []
    private var next = 0
    private var wanted: Set<String> = []
    private var workers = 0
    private let maximumWorkers: Int
    private let maximumCount: Int

    init(_ configuration: ImageStore.Configuration) {
        maximumWorkers = max(1, configuration.maximumPrefetches)
        maximumCount = configuration.maximumPrefetchQueue
    }

    /// Adds a URL at the end, unless it waits already or the queue is full; true if one more worker shall start.
    mutating func add(_ url: String) -> Bool {
        guard wanted.count < maximumCount, wanted.insert(url).inserted else { return false }
        queue.append(url)
        guard workers < maximumWorkers else { return false }
        workers += 1
        return true
    }

    /// The next URL for a worker; nil ends the worker.
    mutating func take() -> String? {
        guard next < queue.count else {
            queue = []
            next = 0
            workers -= 1
            return nil
        }
        let url = queue[next]
        next += 1
        wanted.remove(url)
        dropTaken()
        return url
    }

    mutating func remove(_ url: String) {
        guard wanted.remove(url) != nil else { return }
        queue.removeSubrange(..<next)
        next = 0
        queue.removeAll { $0 == url }
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
