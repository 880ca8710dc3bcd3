import AsyncPrimitives

@testable import AsyncImages

extension ImageStore {
    /// How many callers wait for downloads of a URL.
    func waiterCount(for url: String) -> Int {
        waiters.filter { $0.key.url == url }.values.reduce(0, +)
    }

    /// Whether anything is under way.
    var isIdle: Bool { waiters.isEmpty && current.isEmpty && flights.count == 0 }
}
