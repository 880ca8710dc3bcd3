import AsyncPrimitives
import Glibc
import Synchronization

/// Runs closures against each other, round after round, on threads of their own.
///
/// In each round one thread makes what the sides meddle with, a barrier lets all sides go at the same moment, and
/// when the last one is done the round is checked. A little jitter before each side moves the moment at which they
/// meet. The first failed check, or error, ends the race.
///
/// No round starts a thread, and a side is never run on the cooperative pool, so it may block.
public enum Race {
    /// How many rounds a race has: `ASYNCKIT_RACE_ROUNDS` of the environment, 100,000 without it.
    public static let rounds = getenv("ASYNCKIT_RACE_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 100_000

    /// Runs a race and returns when all its rounds are over.
    ///
    /// - Parameters:
    ///   - rounds: How many rounds; ``rounds`` unless you say otherwise.
    ///   - setUp: Makes what one round is about, from the number of the round.
    ///   - sides: What runs at the same time, each on its own thread.
    ///   - check: Throws when the round came out wrong; it runs after all sides, alone.
    /// - Throws: What a side or the check throws.
    public static func run<Round: Sendable>(
        rounds: Int = Race.rounds,
        setUp: @escaping @Sendable (Int) throws -> Round,
        sides: [@Sendable (Round) throws -> Void],
        check: @escaping @Sendable (Round) throws -> Void
    ) async throws {
        let track = RaceTrack(rounds: rounds, sides: sides, setUp: setUp, check: check)
        let results = sides.indices.map { side in
            let result = OneShot<Void>()
            let isRunning = SystemThread.start(name: "race") {
                result.resolve(Result { try track.run(side: side) })
            }
            precondition(isRunning, "The system gives no thread for a race.")
            return result
        }
        for result in results { try await result.value() }
    }
}

/// A round came out wrong.
public struct RaceFailure: Error, CustomStringConvertible {
    /// What was expected, and where.
    public let description: String
}

/// Ends a race unless the condition holds; it works on any thread, where `#expect` knows no test.
///
/// - Parameters:
///   - condition: What must hold.
///   - message: What is wrong otherwise.
///   - fileID: The file that the failure is reported at.
///   - line: The line that the failure is reported at.
/// - Throws: A ``RaceFailure`` when the condition does not hold.
public func confirm(
    _ condition: Bool,
    _ message: @autoclosure () -> String,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    if !condition { throw RaceFailure(description: "\(fileID):\(line): \(message())") }
}

private final class RaceTrack<Round: Sendable>: @unchecked Sendable {
    // Sendable because `round`, `number` and `failure` are written only by the last thread at the barrier, while
    // the others wait there.
    private var round: Round?
    private var number = 0
    private var failure: (any Error)?

    private let rounds: Int
    private let sides: [@Sendable (Round) throws -> Void]
    private let setUp: @Sendable (Int) throws -> Round
    private let check: @Sendable (Round) throws -> Void
    private let barrier: SpinBarrier

    init(
        rounds: Int,
        sides: [@Sendable (Round) throws -> Void],
        setUp: @escaping @Sendable (Int) throws -> Round,
        check: @escaping @Sendable (Round) throws -> Void
    ) {
        self.rounds = rounds
        self.sides = sides
        self.setUp = setUp
        self.check = check
        barrier = SpinBarrier(parties: sides.count)
    }

    func run(side: Int) throws {
        var jitter = Jitter(seed: UInt64(side + 1))
        var sideError: (any Error)?
        while true {
            barrier.meet { nextRound() }
            if let failure { throw failure }
            if let sideError { throw sideError }
            guard let round else { return }
            jitter.pause()
            do { try sides[side](round) } catch { sideError = error }
        }
    }

    private func nextRound() {
        do {
            if let round { try check(round) }
            round = number < rounds ? try setUp(number) : nil
            number += 1
        } catch {
            failure = RaceFailure(description: "round \(number - 1): \(error)")
        }
    }
}

/// A short random delay, the same sequence in every run.
private struct Jitter {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func pause() {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        for _ in 0..<(state & 63) { spinHint() }
    }
}

@inline(never)
private func spinHint() {}

/// Lets a fixed number of threads go on together, again and again; it spins, and sleeps when that takes long.
private final class SpinBarrier: @unchecked Sendable {
    // Sendable because the pointers are set once and what they point to is made for use by several threads.
    private let parties: Int
    private let arrived = Atomic(0)
    private let generation = Atomic(0)
    private let spins = ResourceUse.processors > 1 ? 2_000 : 0
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(parties: Int) {
        self.parties = parties
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(changed)
        mutex.deallocate()
        changed.deallocate()
    }

    /// Waits for the others; the last to come runs the closure while they wait.
    func meet(_ last: () -> Void) {
        let current = generation.load(ordering: .acquiring)
        if arrived.add(1, ordering: .acquiringAndReleasing).newValue == parties {
            last()
            arrived.store(0, ordering: .relaxed)
            pthread_mutex_lock(mutex)
            generation.store(current + 1, ordering: .releasing)
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
            return
        }
        for _ in 0..<spins where generation.load(ordering: .acquiring) != current { return }
        pthread_mutex_lock(mutex)
        while generation.load(ordering: .acquiring) == current { pthread_cond_wait(changed, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
