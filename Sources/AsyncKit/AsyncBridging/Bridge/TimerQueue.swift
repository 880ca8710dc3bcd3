import AsyncPrimitives

/// Jobs that wait for their time, the next one last.
struct TimerQueue: Sendable {
    struct Entry: Sendable {
        let time: Deadline
        let job: UnownedJob
    }

    private(set) var entries: [Entry] = []

    var next: Deadline? { entries.last?.time }

    /// Puts a job behind those that are due earlier or at the same time.
    mutating func insert(_ job: UnownedJob, due time: Deadline) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].time.nanoseconds >= time.nanoseconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        while low > 0, entries[low - 1].time.nanoseconds == time.nanoseconds { low -= 1 }
        entries.insert(Entry(time: time, job: job), at: low)
    }

    mutating func removeDue() -> UnownedJob? {
        guard let next, next.hasPassed else { return nil }
        return entries.removeLast().job
    }
}
