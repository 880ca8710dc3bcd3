import AsyncCredentials
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct KeyTests {
    private typealias Failure = CredentialVault.Error
    private let scratch = Scratch()
    private let cheap: Passphrase.Cost

    init() throws {
        cheap = try Passphrase.Cost(memory: 19 << 20, passes: 2)
    }

    private func open(_ keys: any KeySource...) async throws(Failure) -> CredentialVault {
        try await CredentialVault.open(at: scratch.vaultPath, keys: keys)
    }

    @Test func wrongKeysOpenNothingAndWriteNothing() async throws {
        let vault = try await open(Passphrase("correct horse", cost: cheap))
        try await vault.put("x", service: "s", account: "a")
        await vault.close()
        let before = try scratch.files()
        for wrong in ["correct hors", "correct horse ", "Correct horse", "correct horse\0", "\0"] {
            #expect(
                await failure { () throws(Failure) in try await open(Passphrase(wrong, cost: cheap)) }
                    == .wrongKey
            )
        }
        let raw = try RawKey(secret([UInt8](repeating: 1, count: 32)))
        #expect(await failure { () throws(Failure) in try await open(raw) } == .wrongKey)
        #expect(await failure { () throws(Failure) in try await open(KeyFile(scratch.keyPath)) } == .noKey)
        #expect(await failure { () throws(Failure) in try await open() } == .noKey)
        #expect(try scratch.files() == before)
        #expect(try await open(Passphrase("correct horse")).password(service: "s", account: "a") == "x")
    }

    @Test func withoutAKeyNoFileIsMade() async throws {
        struct Nothing: KeySource {
            func key(forNewVault: Bool) throws(CredentialVault.Error) -> VaultKey { throw .noKey }
        }
        #expect(await failure { () throws(Failure) in try await open(Nothing()) } == .noKey)
        #expect(await failure { () throws(Failure) in try await open() } == .noKey)
        #expect(try scratch.files().isEmpty)
    }

    @Test func passphraseIsTheSameInEverySpelling() async throws {
        await (try open(Passphrase("caf\u{E9}", cost: cheap))).close()
        _ = try await open(Passphrase("cafe\u{301}"))
    }

    @Test func eachKeyOfANewVaultOpensIt() async throws {
        let raw = try RawKey(secret([UInt8](0..<32)))
        let vault = try await open(Passphrase("one", cost: cheap), raw, KeyFile(scratch.keyPath))
        try await vault.put("x", service: "s", account: "a")
        await vault.close()
        for source in [try Passphrase("one"), raw, KeyFile(scratch.keyPath)] as [any KeySource] {
            let again = try await open(source)
            #expect(try await again.password(service: "s", account: "a") == "x")
            await again.close()
        }
        // The first source has no key, the second the wrong one, the third opens.
        _ = try await open(KeyFile("\(scratch.path)/missing"), Passphrase("two"), raw)
    }

    @Test func lengthsAndCostsHaveLimits() throws {
        for count in [0, 16, 31, 33, 64] {
            #expect(throws: Failure.keyLength) { try RawKey(secret([UInt8](repeating: 1, count: count))) }
        }
        #expect(throws: Failure.keyLength) { try Passphrase("") }
        #expect(throws: Failure.keyLength) { try Passphrase(String(repeating: "x", count: 1025)) }
        _ = try Passphrase(String(repeating: "x", count: 1024))
        for (memory, passes) in [
            ((19 << 20) - 1, 2), (19 << 20, 1), ((1 << 30) + 1, 3), (1 << 30, 11), (-1, 2), (.max, 2),
        ] {
            #expect(throws: Failure.passphraseCost) { try Passphrase.Cost(memory: memory, passes: passes) }
        }
    }

    @Test func plantedCostIsRefusedBeforeItIsPaid() async throws {
        await (try open(Passphrase("one", cost: cheap))).close()
        let attacks = [
            "memory = 1099511627776", "memory = 9223372036854775807", "memory = -1", "memory = 8192",
            "passes = 4294967295", "passes = 1", "passes = -3",
        ]
        let good = try #require(try scratch.files()["vault"])
        for attack in attacks {
            try scratch.write(good, to: "vault")
            try scratch.tamper("UPDATE slots SET \(attack)")
            let start = ContinuousClock.now
            #expect(
                await failure { () throws(Failure) in try await open(Passphrase("one")) } == .passphraseCost,
                "\(attack)"
            )
            #expect(ContinuousClock.now - start < .seconds(1))
        }
    }

    @Test func changedSlotsOpenNothing() async throws {
        await (try open(Passphrase("one", cost: cheap))).close()
        let good = try #require(try scratch.files()["vault"])
        let attacks = [
            "memory = memory + 1048576", "passes = passes + 1", "salt = zeroblob(16)", "salt = x'00'",
            "commitment = zeroblob(32)",
            "commitment = x''", "nonce = zeroblob(24)", "nonce = x''", "mac = zeroblob(16)", "mac = x''",
            "body = zeroblob(32)",
            "body = x''", "kind = 1", "kind = 99", "id = zeroblob(16)",
        ]
        for attack in attacks {
            try scratch.write(good, to: "vault")
            try scratch.tamper("UPDATE slots SET \(attack)")
            #expect(
                await failure { () throws(Failure) in try await open(Passphrase("one")) } == .wrongKey,
                "\(attack)"
            )
        }
        try scratch.write(good, to: "vault")
        try scratch.tamper(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO slots SELECT randomblob(16), kind, passes, memory, salt, commitment, nonce, mac, body
                FROM slots, n
            """
        )
        #expect(await failure { () throws(Failure) in try await open(Passphrase("two")) } == .tampered)
    }

    @Test func keyFileIsUsedAsItIs() async throws {
        try scratch.write([UInt8](0..<32), to: "key")
        await (try await scratch.open()).close()
        #expect(try scratch.files()["key"] == [UInt8](0..<32))
        _ = try await open(RawKey(secret([UInt8](0..<32))))
        for content in [[], [UInt8](0..<31), [UInt8](0..<33)] as [[UInt8]] {
            try scratch.write(content, to: "key")
            #expect(await failure { () throws(Failure) in try await scratch.opened() } == .keyLength)
            #expect(try scratch.files()["key"] == content)
        }
        mkfifo("\(scratch.path)/pipe", 0o600)
        #expect(
            await failure { () throws(Failure) in try await open(KeyFile("\(scratch.path)/pipe")) }
                == .refused(.notAFile)
        )
    }

    @Test func cancelledDerivationReturnsAtOnce() async throws {
        await (try open(Passphrase("one", cost: Passphrase.Cost(memory: 256 << 20, passes: 10)))).close()
        let opening = Task { try await open(Passphrase("one")) }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        opening.cancel()
        await #expect(throws: Failure.cancelled) { _ = try await opening.value }
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test func errorsNameNoSecrets() {
        let all: [Failure] = [
            .locked, .closed, .wrongKey, .noKey, .keyLength, .passphraseCost, .tampered, .notAVault,
            .newerFormat(version: 2),
            .busy, .refused(.looseFile), .refused(.looseDirectory), .refused(.foreignOwner),
            .refused(.symbolicLink),
            .refused(.hardLinks), .refused(.notAFile), .replaced, .secretTooLarge, .identifierTooLarge,
            .emptyService,
            .notText, .invalidPath, .diskFull, .outOfMemory, .system(errno: 5), .database(code: 10),
            .cancelled,
        ]
        for error in all {
            #expect(error.description.hasSuffix("."))
            #expect(error.description.contains(": "), "tells what to do")
        }
        #expect(Set(all.map(\.description)).count == all.count)
    }
}
