import AsyncPrimitives
import Synchronization

/// Many tasks that want the same value while the work for it is running; the time is that of one caller.
enum SingleFlightSuite {
    static let comparisons = [
        Comparison(
            suite: "single-flight",
            title: "64 callers join one flight",
            subject: singleFlight(callers: 64),
            peer: .present(taskDictionary(callers: 64))
        ),
        Comparison(
            suite: "single-flight",
            title: "1,000 callers join one flight",
            subject: singleFlight(callers: 1000),
            peer: .present(taskDictionary(callers: 1000))
        ),
    ]

    private static func singleFlight(callers: Int) -> Contender {
        Contender(name: "SingleFlight", version: Versions.library) { operations in
            let flight = SingleFlight<Int, Int>()
            return try await crowds(of: callers, until: operations) { crowd, work in
                try await flight.value(for: crowd, operation: work)
            }
        }
    }

    /// What is usually written by hand: an actor that remembers a task for each key.
    private static func taskDictionary(callers: Int) -> Contender {
        Contender(name: "actor with [Key: Task]", version: Versions.swift) { operations in
            let tasks = TaskDictionary()
            return try await crowds(of: callers, until: operations) { crowd, work in
                try await tasks.value(for: crowd, operation: work)
            }
        }
    }

    /// Sends one crowd after the other; the work of each ends when its whole crowd is on the way in.
    private static func crowds(
        of callers: Int,
        until operations: Int,
        call:
            @escaping @Sendable (_ crowd: Int, _ work: @escaping @Sendable () async -> Int) async throws ->
            Int
    ) async throws -> Duration {
        let crowds = max(1, operations / callers)
        let time = try await ContinuousClock().measure {
            for crowd in 0..<crowds {
                let arrivals = Arrivals(expected: callers)
                try await withThrowingDiscardingTaskGroup { group in
                    for _ in 0..<callers {
                        group.addTask {
                            arrivals.add()
                            keep(try await call(crowd) { await arrivals.all() })
                        }
                    }
                }
            }
        }
        // The harness divides by the number of operations it asked for.
        return time * operations / (crowds * callers)
    }
}

private final class Arrivals: Sendable {
    private let count = Atomic(0)
    private let expected: Int

    init(expected: Int) {
        self.expected = expected
    }

    func add() {
        count.add(1, ordering: .relaxed)
    }

    func all() async -> Int {
        while count.load(ordering: .relaxed) < expected { await Task.yield() }
        return expected
    }
}

private actor TaskDictionary {
    private var running: [Int: Task<Int, Never>] = [:]

    func value(for key: Int, operation: @escaping @Sendable () async -> Int) async throws -> Int {
        if let task = running[key] { return await task.value }
        let task = Task { await operation() }
        running[key] = task
        defer { running[key] = nil }
        return await task.value
    }
}
