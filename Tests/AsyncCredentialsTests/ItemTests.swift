import AsyncCredentials
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ItemTests {
    private let scratch = Scratch()

    @Test func everySecretComesBackByteForByte() async throws {
        let vault = try await scratch.open()
        var values: [[UInt8]] = [
            [], [0], [0, 0, 0], [10], [13, 10], [32, 65, 32], Array(0...255),
            [0x80, 0xC0, 0xED, 0xA0, 0x80, 0xFF],
            [0x80] + [UInt8](repeating: 0, count: 100), [UInt8](repeating: 0, count: 64),
        ]
        for size in [63, 64, 65, 1023, 1024, 1025, 2047, 2048, 70_001, 1 << 20] {
            values.append((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        }
        for (index, value) in values.enumerated() {
            try await vault.put(secret(value), service: "bytes", account: "\(index)")
        }
        await vault.close()
        let again = try await scratch.open()
        for (index, value) in values.enumerated() {
            #expect(try await again.secret(service: "bytes", account: "\(index)")?.array == value)
        }
    }

    @Test func textComesBackAsItWas() async throws {
        let vault = try await scratch.open()
        for text in ["", " padded ", "line\r\nline\0end", "pässwörd 🔑 \u{65}\u{301}"] {
            try await vault.put(text, service: "text", account: "me")
            let found = try await vault.password(service: "text", account: "me")
            #expect(found.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func bytesThatAreNoTextAreNotTakenForOne() async throws {
        let vault = try await scratch.open()
        try await vault.put(secret([0xFF, 0xFE]), service: "bytes", account: "me")
        #expect(
            await failure { () throws(CredentialVault.Error) in
                try await vault.password(service: "bytes", account: "me")
            } == .notText
        )
    }

    @Test func missingItemIsNil() async throws {
        let vault = try await scratch.open()
        #expect(try await vault.secret(service: "no", account: "body") == nil)
        #expect(try await vault.password(service: "no", account: "body") == nil)
        #expect(try await vault.delete(service: "no", account: "body") == false)
        #expect(try await vault.items(service: "no").isEmpty)
        #expect(try await vault.items().isEmpty)
    }

    @Test func serviceAndAccountTogetherAreTheKey() async throws {
        let vault = try await scratch.open()
        let names = [
            ("ab", "c"), ("a", "bc"), ("a", ""), ("ab", "C"), ("abc", ""), ("a\0b", "c"), ("a", "b\0c"),
        ]
        for (service, account) in names {
            try await vault.put("\(service)|\(account)", service: service, account: account)
        }
        for (service, account) in names {
            #expect(try await vault.password(service: service, account: account) == "\(service)|\(account)")
        }
        #expect(try await vault.items().count == names.count)
        #expect(try await vault.items(service: "a").map(\.account) == ["", "b\0c", "bc"])
        #expect(try await vault.delete(service: "a", account: "bc"))
        #expect(try await vault.password(service: "ab", account: "c") == "ab|c")
        #expect(try await vault.items().count == names.count - 1)
    }

    @Test func equivalentSpellingsAreOneItem() async throws {
        let vault = try await scratch.open()
        try await vault.put("old", service: "caf\u{E9}", account: "\u{212B}ngstr\u{F6}m")
        try await vault.put("new", service: "cafe\u{301}", account: "A\u{30A}ngstro\u{308}m")
        #expect(try await vault.password(service: "caf\u{E9}", account: "\u{C5}ngstr\u{F6}m") == "new")
        let items = try await vault.items()
        #expect(items.count == 1)
        #expect(items.first.map { Array($0.service.utf8) } == Array("cafe\u{301}".utf8))
    }

    @Test func namesThatOnlyLookEquivalentAreTwoItems() async throws {
        let vault = try await scratch.open()
        try await vault.put("plain", service: "x", account: "\u{C1}")
        try await vault.put("deseret", service: "x", account: "\u{10041}\u{301}")
        try await vault.put("ligature", service: "x", account: "\u{FB01}")
        try await vault.put("letters", service: "x", account: "fi")
        #expect(try await vault.items().count == 4)
        #expect(try await vault.password(service: "x", account: "\u{C1}") == "plain")
    }

    @Test func replacingKeepsTheDateOfCreationAndRaisesTheRevision() async throws {
        let vault = try await scratch.open()
        try await vault.put("1", service: "s", account: "a")
        let first = try #require(try await vault.items().first)
        var last = first
        for value in 2...5 {
            try await Task.sleep(for: .milliseconds(300))
            try await vault.put("\(value)", service: "s", account: "a")
            let items = try await vault.items(service: "s")
            let item = try #require(items.first)
            #expect(items.count == 1)
            #expect(item.created == first.created)
            #expect(item.modified >= last.modified)
            #expect(item.revision > last.revision)
            last = item
        }
        #expect(last.modified > first.modified)
        #expect(abs(first.created - Int64(time(nil))) < 60)
        #expect(try await vault.password(service: "s", account: "a") == "5")
    }

    @Test func revisionIsNotUsedAgainAfterDeleting() async throws {
        let vault = try await scratch.open()
        try await vault.put("1", service: "s", account: "a")
        let before = try #require(try await vault.items().first?.revision)
        #expect(try await vault.delete(service: "s", account: "a"))
        #expect(try await vault.secret(service: "s", account: "a") == nil)
        try await vault.put("2", service: "s", account: "a")
        #expect(try #require(try await vault.items().first?.revision) > before + 1)
    }

    @Test func limitsAreHeldBeforeAnythingIsWritten() async throws {
        let vault = try await scratch.open()
        let long = String(repeating: "é", count: 2048)
        try await vault.put("fits", service: long, account: long)
        #expect(try await vault.password(service: long, account: long) == "fits")
        let before = try scratch.files()
        let large = try secret([UInt8](repeating: 1, count: CredentialVault.maximumSecretSize + 1))
        typealias Failure = CredentialVault.Error
        #expect(
            await failure { () throws(Failure) in try await vault.put(large, service: "s", account: "a") }
                == .secretTooLarge
        )
        let text = String(repeating: "x", count: CredentialVault.maximumSecretSize + 1)
        #expect(
            await failure { () throws(Failure) in try await vault.put(text, service: "s", account: "a") }
                == .secretTooLarge
        )
        #expect(
            await failure { () throws(Failure) in try await vault.put("x", service: long + "x", account: "a")
            } == .identifierTooLarge
        )
        #expect(
            await failure { () throws(Failure) in try await vault.put("x", service: "s", account: long + "x")
            } == .identifierTooLarge
        )
        #expect(
            await failure { () throws(Failure) in try await vault.put("x", service: "", account: "a") }
                == .emptyService
        )
        #expect(
            await failure { () throws(Failure) in try await vault.secret(service: "", account: "a") }
                == .emptyService
        )
        #expect(
            await failure { () throws(Failure) in try await vault.delete(service: "", account: "a") }
                == .emptyService
        )
        #expect(await failure { () throws(Failure) in try await vault.items(service: "") } == .emptyService)
        #expect(try scratch.files() == before)
    }

    @Test func lockedAndClosedVaultsGiveNothing() async throws {
        typealias Failure = CredentialVault.Error
        let vault = try await scratch.open()
        try await vault.put("x", service: "s", account: "a")
        await vault.lock()
        #expect(await vault.isLocked)
        #expect(
            await failure { () throws(Failure) in try await vault.secret(service: "s", account: "a") }
                == .locked
        )
        #expect(
            await failure { () throws(Failure) in try await vault.put("y", service: "s", account: "a") }
                == .locked
        )
        #expect(await failure { () throws(Failure) in try await vault.items() } == .locked)
        #expect(
            await failure { () throws(Failure) in try await vault.delete(service: "s", account: "a") }
                == .locked
        )
        try await vault.unlock(keys: KeyFile(scratch.keyPath))
        #expect(try await vault.password(service: "s", account: "a") == "x")
        await vault.close()
        #expect(await failure { () throws(Failure) in try await vault.items() } == .closed)
        #expect(
            await failure { () throws(Failure) in try await vault.unlock(keys: KeyFile(scratch.keyPath)) }
                == .closed
        )
        await vault.lock()
        await vault.close()
    }

    @Test func manyCallsAtOnceAllTakeEffect() async throws {
        let vault = try await scratch.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try await vault.put("\(index)", service: "s\(index % 7)", account: "\(index)")
                }
            }
            try await group.waitForAll()
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try await vault.password(service: "s\(index % 7)", account: "\(index)") == "\(index)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(Set(try await vault.items().map(\.revision)).count == 200)
    }
}
