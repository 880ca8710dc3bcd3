import AsyncBridging
import AsyncReachability
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BlockingTests {
    /// Runs synchronous code on a thread that is not one of the cooperative pool.
    private func onPlainThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }

    @Test func synchronousCodeReadsSuspendsAndResumes() async throws {
        let network = ScriptedNetworkSource(.wifi)
        let monitor = ReachabilityMonitor(source: network)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next()?.path == .wifi)
        let blocking = monitor.blocking
        let seen = try await onPlainThread {
            let before = try blocking.current()
            try blocking.suspend()
            network.set(.wired)
            let meanwhile = try blocking.current(timeout: .seconds(10))
            try blocking.resume()
            return [before.path, meanwhile.path]
        }
        #expect(seen == [.wifi, .wired])
        #expect(await changes.next()?.path == .wired)
    }

    @Test func sourceThatNeverAnswersDoesNotHoldTheCallerBeyondItsTimeout() async throws {
        let (silence, continuation) = AsyncStream<NetworkPath>.makeStream()
        let blocking = ReachabilityMonitor(source: ManualSource(silence)).blocking
        let timedOut = try await onPlainThread {
            do throws(SyncBridge.Error<Never>) {
                _ = try blocking.current(timeout: .milliseconds(20))
                return false
            } catch {
                if case .timedOut = error { return true }
                throw error
            }
        }
        #expect(timedOut)
        continuation.finish()
    }
}
