import AsyncBridging
import AsyncFoundation
import AsyncPrimitives
import Dispatch
import Foundation
import Testing

/// A client whose code belongs to the main actor unless it says otherwise, with an API that knows nothing of it.
///
/// What is called on the worker's thread must not have become the main actor's: it would trap.
@Suite(.timeLimit(.minutes(1)))
struct AdapterTests {
    nonisolated struct Refused: Error {}

    /// Old code: no `@Sendable`, and the handler is called elsewhere.
    nonisolated static func fetch(_ completion: @escaping (Result<Int, Refused>) -> Void) {
        nonisolated(unsafe) let completion = completion
        startThread { completion(.success(1)) }
    }

    nonisolated static func fetchSendable(_ completion: @escaping @Sendable (Result<Int, Refused>) -> Void) {
        startThread { completion(.success(2)) }
    }

    nonisolated static func startThread(_ body: @escaping @Sendable () -> Void) {
        #expect(SystemThread.start(name: "worker", body))
    }

    @Test func handlerIsCalledOnAWorkerThread() async throws {
        MainActor.assertIsolated()
        #expect(try await withCallback { Self.fetch($0.handler()) } == 1)
        MainActor.assertIsolated()
    }

    @Test func handlerIsCalledOnTheQueueOfADispatchSource() async throws {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        defer { timer.cancel() }
        try await withCallback(timeout: .seconds(30)) { callback in
            timer.setEventHandler(handler: callback.handler())
            timer.schedule(deadline: .now())
            timer.resume()
        }
    }

    @Test func closureOfTheMainActorTrapsThere() async {
        await #expect(processExitsWith: .failure) { await AdapterTests.fireWithAClosureOfTheMainActor() }
    }

    /// Dispatch is old code too: its handler is not `@Sendable`, and a closure of the main actor is checked.
    static func fireWithAClosureOfTheMainActor() async {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        defer { timer.cancel() }
        try? await withCallback(of: Void.self, timeout: .seconds(30)) { callback in
            timer.setEventHandler { callback() }
            timer.schedule(deadline: .now())
            timer.resume()
        }
    }

    @Test func sendableClosureIsCalledOnAWorkerThread() async throws {
        #expect(try await withCallback { callback in Self.fetchSendable { callback($0) } } == 2)
    }

    @Test func misuseIsReportedOnAWorkerThread() async throws {
        let reported = Gate()
        _ = try await withCallback(of: Int.self, onMisuse: { _ in reported.open() }) { callback in
            Self.startThread {
                callback(1)
                callback(2)
            }
        }
        await reported.wait()
    }

    @Test func stopRunsOnTheMainActor() async {
        var stops = 0
        do {
            _ = try await withCancellableCallback(of: Int.self, timeout: .milliseconds(10)) { callback in
                return {
                    stops += 1
                    withExtendedLifetime(callback) {}
                }
            }
            Issue.record("The deadline did not come.")
        } catch {
            #expect(stops == 1)
        }
    }

    @Test func streamDetachesOnAWorkerThread() async {
        let detached = Gate()
        let stream = CallbackStream<Int>(capacity: 4) { sink in
            Self.startThread {
                sink.send(1)
                sink.finish()
            }
            return { detached.open() }
        }
        for await number in stream { #expect(number == 1) }
        await detached.wait()
    }

    @Test func observerIsCalledAndRemovedOnAWorkerThread() async {
        let board = Board()
        let removed = Gate()
        let stream = CallbackStream<Int>(observing: board, capacity: 4) { board, change in
            board.observe(change)
        } unregister: { _, _ in
            removed.open()
        }
        Self.startThread {
            board.change(to: 3)
            stream.cancel()
        }
        await removed.wait()
        #expect(await stream.next() == nil)
    }

    @Test func notificationIsMappedOnAWorkerThread() async {
        let center = NotificationCenter()
        let name = Notification.Name("AsyncBridgingMainActorTests.changed")
        let stream = center.notifications(named: name, capacity: 1) { $0.userInfo?["n"] as? Int }
        Self.startThread { center.post(name: name, object: nil, userInfo: ["n": 4]) }
        #expect(await stream.next() == 4)
    }
}

nonisolated final class Board: Sendable {
    private let observer = Lock<(@Sendable (Int) -> Void)?>(nil)

    func observe(_ observer: @escaping @Sendable (Int) -> Void) -> Int {
        self.observer.withLock { $0 = observer }
        return 1
    }

    func change(to value: Int) {
        observer.withLock { $0 }?(value)
    }
}
