import AsyncBridging
import AsyncHTTP
import AsyncPrimitives
import Testing

@testable import AsyncImages

@Suite(.timeLimit(.minutes(1)))
struct BlockingTests {
    private let threads = ThreadPool(name: "blocking-test", maximumThreads: 1)

    @Test func everyCallHasABlockingForm() async throws {
        let store = ImageStore(transport: InstantTransport(png: try Pictures.png()))
        try await threads.run {
            let image = try store.blocking.image(for: "a")
            #expect(store.cachedImage(for: "a") == image)
            #expect(try store.blocking.image(for: "b", fallback: image) == image)
            try store.blocking.clearCache(for: "a")
            #expect(store.cachedImage(for: "a") == nil)
            try store.blocking.clearAllCaches()
            #expect(store.cachedImage(for: "b") == nil)
            try store.blocking.cancelDownload(for: "a")
            try store.blocking.cancelAllDownloads()
            try store.blocking.prefetch(["c"])
        }
        while store.cachedImage(for: "c") == nil { await Task.yield() }
    }

    @Test func aFailureComesAsTheOperationsError() async throws {
        let store = ImageStore(
            transport: InstantTransport { (request) throws(HTTPClient.Error) in
                HTTPResponse(status: 404, url: request.url)
            }
        )
        try await threads.run {
            do throws(SyncBridge.Error<ImageStore.Error>) {
                _ = try store.blocking.image(for: "a")
                Issue.record("A 404 gave a picture.")
            } catch {
                guard case .operation(.status(404)) = error else {
                    Issue.record("Another error came: \(error)")
                    return
                }
            }
        }
    }
}
