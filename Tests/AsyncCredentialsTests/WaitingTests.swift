import AsyncBridging
import AsyncCredentials
import AsyncPrimitives
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2)))
struct WaitingTests {
    private typealias Failure = CredentialVault.Error
    private let scratch = Scratch()

    @Test func writerIsWaitedFor() async throws {
        let vault = try await scratch.open()
        let rival = try Rival(scratch, "BEGIN IMMEDIATE")
        let put = Task { try await vault.put("x", service: "s", account: "a") }
        // Reading goes on: only another writer has to wait.
        #expect(try await vault.secret(service: "s", account: "a") == nil)
        try rival.run("COMMIT")
        try await put.value
        #expect(try await vault.password(service: "s", account: "a") == "x")
    }

    @Test func readerIsWaitedFor() async throws {
        let vault = try await scratch.open()
        let rival = try Rival(scratch, "BEGIN; SELECT * FROM items")
        let put = Task { try await vault.put("x", service: "s", account: "a") }
        try await Task.sleep(for: .milliseconds(50))
        try rival.run("COMMIT")
        try await put.value
        #expect(try await vault.password(service: "s", account: "a") == "x")
    }

    @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; SELECT * FROM items"])
    func deadlineIsHeldAndNothingIsWritten(lock: String) async throws {
        let vault = try await scratch.open(timeout: .milliseconds(150))
        try await vault.put("old", service: "s", account: "a")
        let rival = try Rival(scratch, lock)
        let start = ContinuousClock.now
        #expect(
            await failure { () throws(Failure) in try await vault.put("new", service: "s", account: "a") }
                == .busy
        )
        let waited = ContinuousClock.now - start
        #expect(waited >= .milliseconds(140))
        #expect(waited < .seconds(10))
        try rival.run("COMMIT")
        #expect(try await vault.password(service: "s", account: "a") == "old")
        try await vault.put("new", service: "s", account: "a")
        #expect(try await vault.items().count == 1)
    }

    @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; SELECT * FROM items"])
    func cancelledCallerLeavesAtOnceAndNothingIsWritten(lock: String) async throws {
        let vault = try await scratch.open()
        try await vault.put("old", service: "s", account: "a")
        let rival = try Rival(scratch, lock)
        let put = Task { try await vault.put("new", service: "s", account: "a") }
        let others = (0..<5).map { index in
            Task { try await vault.put("x", service: "s", account: "\(index)") }
        }
        try await Task.sleep(for: .milliseconds(50))
        let start = ContinuousClock.now
        put.cancel()
        await #expect(throws: Failure.cancelled) { try await put.value }
        #expect(ContinuousClock.now - start < .seconds(5), "long before the deadline of 20 s")
        try await Task.sleep(for: .milliseconds(5))
        try rival.run("COMMIT")
        for other in others { try await other.value }
        #expect(try await vault.password(service: "s", account: "a") == "old")
        #expect(try await vault.items().count == 6)
    }

    @Test func cancelledBeforeItStartsDoesNothing() async throws {
        let vault = try await scratch.open()
        let gate = Gate()
        let put = Task {
            await gate.wait()
            try await vault.put("x", service: "s", account: "a")
        }
        put.cancel()
        gate.open()
        await #expect(throws: Failure.cancelled) { try await put.value }
        #expect(try await vault.items().isEmpty)
    }

    @Test func cancellingAtAnyMomentLeavesOldOrNew() async throws {
        let vault = try await scratch.open()
        try await vault.put("0", service: "s", account: "a")
        for round in 1...150 {
            let put = Task { try await vault.put("\(round)", service: "s", account: "a") }
            for _ in 0..<(round % 50) { await Task.yield() }
            if round % 3 == 0 { usleep(UInt32(round * 5)) }
            put.cancel()
            let result = await put.result
            let found = try #require(try await vault.password(service: "s", account: "a"))
            if case .success = result { #expect(found == "\(round)") }
            let number = try #require(Int(found))
            #expect((0...round).contains(number))
            #expect(try await vault.items().count == 1)
        }
        await vault.close()
        _ = try await scratch.open()
    }

    @Test func callsDoNotTakeThreadsFromTheCooperativePool() async throws {
        let vault = try await scratch.open()
        let rival = try Rival(scratch, "BEGIN; SELECT * FROM items")
        let puts = (0..<64).map { index in
            Task { try await vault.put("x", service: "s", account: "\(index)") }
        }
        try await Task.sleep(for: .milliseconds(20))
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await Task.yield() } }
        }
        #expect(ContinuousClock.now - start < .seconds(5), "long before the deadline of 20 s")
        try rival.run("COMMIT")
        for put in puts { try await put.value }
    }

    @Test func blockingCallsDoTheSame() async throws {
        let scratch = scratch
        try await ThreadPool.shared.run { try Self.useBlockingCalls(scratch) }
    }

    private static func useBlockingCalls(_ scratch: Scratch) throws {
        let vault = try CredentialVault.Blocking.open(at: scratch.vaultPath, keys: KeyFile(scratch.keyPath))
        let calls = vault.blocking
        try calls.put("x", service: "s", account: "a")
        try calls.put(secret([1, 2]), service: "s", account: "b")
        #expect(try calls.password(service: "s", account: "a") == "x")
        #expect(try calls.secret(service: "s", account: "b")?.array == [1, 2])
        #expect(try calls.items(service: "s").map(\.account) == ["a", "b"])
        #expect(try calls.delete(service: "s", account: "b"))
        #expect(try calls.delete(service: "s", account: "b") == false)
        try calls.lock()
        let locked = #expect(throws: CredentialVault.Blocking.Error.self) { try calls.items() }
        if case .operation(.locked) = locked {} else { Issue.record("A locked vault lists nothing.") }
        try calls.unlock(keys: KeyFile(scratch.keyPath))
        #expect(try calls.items().count == 1)
        try calls.close()
    }
}
