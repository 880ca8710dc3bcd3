import AsyncPrimitives
import Testing

@testable import AsyncBridging

/// An API of the old kind: a completion handler, a token to cancel with, and its own error.
final class LegacyFetcher: Sendable {
    struct NotFound: Error, Hashable {
        let name: String
    }

    typealias Completion = @Sendable (Result<Int, NotFound>) -> Void

    final class Token: Sendable {
        let cancelCount = Lock(0)

        func cancel() {
            cancelCount.withLock { $0 += 1 }
        }
    }

    let token = Token()
    private let completions = Lock<[Completion]>([])

    func fetch(_ name: String, completion: @escaping Completion) -> Token {
        completions.withLock { $0.append(completion) }
        return token
    }

    var isWaiting: Bool { completions.withLock { !$0.isEmpty } }

    var cancelCount: Int { token.cancelCount.withLock { $0 } }

    func completeAll(_ result: Result<Int, NotFound>) {
        for completion in completions.withLock({ $0 }) { completion(result) }
    }

    /// Loses the handlers without calling them.
    func forgetAll() {
        let forgotten = completions.withLock { completions in
            defer { completions = [] }
            return completions
        }
        withExtendedLifetime(forgotten) {}
    }
}

/// Collects what several threads report.
final class Log<Entry: Sendable>: Sendable {
    private let list = Lock<[Entry]>([])

    var entries: [Entry] { list.withLock { $0 } }

    func add(_ entry: Entry) {
        list.withLock { $0.append(entry) }
    }
}

/// Keeps the callback, so that a test decides when it is called or released.
final class Holder<Success: Sendable>: Sendable {
    private let held = Lock<Callback<Success>?>(nil)
    let isArmed = Gate()

    var callback: Callback<Success>? { held.withLock { $0 } }

    func hold(_ callback: Callback<Success>) {
        held.withLock { $0 = callback }
        isArmed.open()
    }

    func release() {
        let released = held.withLock { held in
            defer { held = nil }
            return held
        }
        withExtendedLifetime(released) {}
    }
}

func onOwnThread(_ body: @escaping @Sendable () -> Void) {
    #expect(SystemThread.start(name: "legacy", body))
}
