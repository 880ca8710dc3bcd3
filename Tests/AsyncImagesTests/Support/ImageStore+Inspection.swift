import AsyncPrimitives

@testable import AsyncImages

extension ImageStore {
    /// Starts a caller that has joined the download, or has its answer, when this returns.
    func ask(_ url: String, _ fallback: Image?) -> Task<Result<Image, Error>, Never> {
        Task.immediate {
            do throws(Error) {
                return .success(try await image(for: url, fallback: fallback))
            } catch {
                return .failure(error)
            }
        }
    }

    /// How many callers wait for downloads of a URL.
    func waiterCount(for url: String) -> Int {
        waiters.filter { $0.key.source == url }.values.reduce(0, +)
    }

    /// Whether anything is under way.
    var isIdle: Bool { waiters.isEmpty && current.isEmpty && landed.isEmpty && flights.count == 0 }
}
