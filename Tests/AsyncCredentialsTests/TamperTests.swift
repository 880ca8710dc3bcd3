import AsyncCredentials
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct TamperTests {
    private typealias Failure = CredentialVault.Error
    private let scratch = Scratch()

    private func read(_ vault: CredentialVault, _ account: String) async -> Result<[UInt8]?, Failure> {
        do {
            return .success(try await vault.secret(service: "s", account: account)?.array)
        } catch {
            return .failure(error)
        }
    }

    private func fill(_ vault: CredentialVault) async throws {
        for account in ["a", "b", "c"] {
            try await vault.put(secret(Array(account.utf8)), service: "s", account: account)
        }
    }

    @Test func nothingReadableStandsInTheFiles() async throws {
        let vault = try await scratch.open()
        for index in 0..<20 {
            try await vault.put(
                "plain-secret-\(index)",
                service: "plain-service",
                account: "plain-account-\(index)"
            )
        }
        try await vault.put("plain-secret-new", service: "plain-service", account: "plain-account-3")
        try await vault.delete(service: "plain-service", account: "plain-account-4")
        let created = try #require(try await vault.items().first?.created)
        await vault.close()
        for (name, bytes) in try scratch.files() {
            #expect(!bytes.contains(run: Array("plain".utf8)), "\(name)")
            #expect(!bytes.contains(run: Array("account".utf8)), "\(name)")
            let date = withUnsafeBytes(of: UInt32(created)) { Array($0) }
            #expect(!bytes.contains(run: date), "\(name)")
            #expect(!bytes.contains(run: date.reversed()), "\(name)")
        }
        let key = try #require(try scratch.files()["key"])
        #expect(try scratch.files()["vault"]?.contains(run: key) == false)
    }

    @Test func sizesInTheFileFallIntoFewBuckets() async throws {
        let vault = try await scratch.open()
        for size in 0..<64 {
            try await vault.put(secret([UInt8](repeating: 1, count: size)), service: "s", account: "\(size)")
        }
        #expect(try scratch.column("SELECT DISTINCT length(body) FROM secrets") == ["64"])
        #expect(try scratch.column("SELECT DISTINCT length(body) FROM items").count == 1)
    }

    @Test func orderOfRowsDoesNotFollowTheOrderOfAdding() async throws {
        let vault = try await scratch.open()
        for index in 0..<50 { try await vault.put("x", service: "s", account: "\(index)") }
        let revisions = try scratch.column("SELECT revision FROM items").compactMap { Int($0) }
        #expect(revisions.count == 50)
        #expect(revisions != revisions.sorted())
        let secrets = try scratch.column("SELECT revision FROM secrets").compactMap { Int($0) }
        #expect(secrets != secrets.sorted())
    }

    @Test(arguments: [
        ("items", "tag"), ("items", "id"), ("items", "revision"), ("items", "nonce"), ("items", "mac"),
        ("items", "body"),
        ("items", "nonce, mac, body"), ("items", "id, revision"), ("secrets", "item"),
        ("secrets", "revision"),
        ("secrets", "nonce"), ("secrets", "mac"), ("secrets", "body"), ("secrets", "nonce, mac, body"),
        ("secrets", "item, revision"),
    ])
    func swappedFieldsAreNoticedInTheirRowsOnly(table: String, columns: String) async throws {
        let vault = try await scratch.open()
        try await fill(vault)
        let key = table == "items" ? "id" : "item"
        let revisions = try await vault.items().reduce(into: [:]) { $0[$1.account] = $1.revision }
        let left = try #require(revisions["a"])
        let right = try #require(revisions["b"])
        let all =
            table == "items"
            ? ["tag", "id", "revision", "nonce", "mac", "body"]
            : ["item", "revision", "nonce", "mac", "body"]
        let swapped = columns.split(separator: ", ").map(String.init)
        let names = all.joined(separator: ", ")
        let mixed = all.map { swapped.contains($0) ? "o.\($0)" : "t.\($0)" }.joined(separator: ", ")
        try scratch.tamper(
            """
            CREATE TEMP TABLE copy AS SELECT \(mixed) FROM \(table) t JOIN \(table) o
                ON (t.revision = \(left) AND o.revision = \(right))
                OR (t.revision = \(right) AND o.revision = \(left));
            DELETE FROM \(table) WHERE revision IN (\(left), \(right));
            INSERT INTO \(table) (\(names)) SELECT \(names) FROM copy;
            """
        )
        #expect(try scratch.column("SELECT count(DISTINCT \(key)) FROM \(table)") == ["3"])
        #expect(await read(vault, "a") == .failure(.tampered))
        #expect(await read(vault, "b") == .failure(.tampered))
        #expect(await read(vault, "c") == .success(Array("c".utf8)))
        await vault.close()
        // Opening walks over the authenticators; what stands between them is seen when the row is read.
        do {
            let again = try await scratch.open()
            #expect(["nonce", "body"].contains(columns))
            #expect(await read(again, "a") == .failure(.tampered))
        } catch {
            #expect(error as? Failure == .tampered)
        }
    }

    @Test func oldSecretWithNewMetadataIsNoticed() async throws {
        let vault = try await scratch.open()
        try await fill(vault)
        try scratch.tamper(
            "CREATE TABLE old AS SELECT * FROM secrets; CREATE TABLE olditems AS SELECT * FROM items"
        )
        try await vault.put("new", service: "s", account: "a")
        try scratch.tamper(
            """
            UPDATE secrets SET (nonce, mac, body) = (SELECT nonce, mac, body FROM old
                WHERE old.item = secrets.item);
            """
        )
        #expect(await read(vault, "a") == .failure(.tampered))
        #expect(await read(vault, "b") == .success(Array("b".utf8)))
    }

    @Test func removedRepeatedAndReplayedRowsAreNoticedOnOpening() async throws {
        let attacks = [
            "DELETE FROM items WHERE revision = (SELECT max(revision) FROM items); "
                + "DELETE FROM secrets WHERE revision = (SELECT max(revision) FROM secrets)",
            "DELETE FROM secrets",
            "INSERT INTO secrets SELECT item, revision + 100, nonce, mac, body FROM secrets",
            "INSERT INTO items SELECT x'00', id, revision, nonce, mac, body FROM items LIMIT 1",
            "UPDATE vault SET generation = generation + 1",
            "UPDATE vault SET count = count + 1",
            "UPDATE vault SET sum = zeroblob(32)",
            "UPDATE vault SET mac = zeroblob(32)",
            "UPDATE vault SET vault_id = zeroblob(16)",
            "UPDATE vault SET epoch = 2",
            "DELETE FROM vault",
            "UPDATE items SET revision = revision + 1",
            "INSERT INTO slots SELECT x'00', kind, passes, memory, salt, commitment, nonce, mac, body FROM slots",
            "CREATE TABLE more (a)",
            "CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM secrets; END",
            "CREATE INDEX i ON items (id)",
            "CREATE VIEW v AS SELECT 1",
            "DROP TABLE secrets",
            "PRAGMA user_version = 0",
        ]
        for attack in attacks {
            let scratch = Scratch()
            let vault = try await scratch.open()
            try await fill(vault)
            await vault.close()
            try scratch.tamper(attack)
            let before = try scratch.files()["vault"]
            let error = await failure { () throws(Failure) in try await scratch.opened() }
            #expect(error == .tampered || error == .wrongKey, "\(attack)")
            #expect(try scratch.files()["vault"] == before, "\(attack)")
        }
    }

    @Test(arguments: [
        ("items", "tag BLOB PRIMARY KEY", "tag BLOB PRIMARY KEY DESC"),
        ("secrets", "PRIMARY KEY (item, revision)", "PRIMARY KEY (item DESC, revision)"),
    ])
    func rowsThatALookupWouldMissAreNoticedOnOpening(table: String, key: String, reversed: String)
        async throws
    {
        let vault = try await scratch.open()
        for account in 0..<10 { try await vault.put("x", service: "s", account: "\(account)") }
        await vault.close()
        func schema(_ old: String, _ new: String) -> String {
            "PRAGMA writable_schema = ON; "
                + "UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE name = '\(table)'"
        }
        // The rows lie in the file in one order, and the schema promises the other.
        try scratch.tamper("CREATE TABLE copy AS SELECT * FROM \(table); DELETE FROM \(table)")
        try scratch.tamper(schema(key, reversed))
        try scratch.tamper("INSERT INTO \(table) SELECT * FROM copy; DROP TABLE copy")
        try scratch.tamper(schema(reversed, key))
        #expect(await failure { () throws(Failure) in try await scratch.opened() } == .tampered)
    }

    @Test func replayedOldRowsAreNoticedOnOpening() async throws {
        let vault = try await scratch.open()
        try await fill(vault)
        await vault.close()
        let old = try #require(try scratch.files()["vault"])
        try scratch.write(old, to: "old")
        let again = try await scratch.open()
        try await again.put("new", service: "s", account: "a")
        await again.close()
        try scratch.tamper(
            """
            ATTACH '\(scratch.path)/old' AS old;
            DELETE FROM items; INSERT INTO items SELECT * FROM old.items;
            DELETE FROM secrets; INSERT INTO secrets SELECT * FROM old.secrets;
            """
        )
        #expect(await failure { () throws(Failure) in try await scratch.opened() } == .tampered)
        try scratch.write(old, to: "vault")
        #expect(
            await read(try await scratch.open(), "a") == .success(Array("a".utf8)),
            "a whole old file is a vault"
        )
    }

    @Test func rowsOfAnotherVaultAreNoticed() async throws {
        let vault = try await scratch.open()
        try await fill(vault)
        let other = Scratch()
        let stranger = try await CredentialVault.open(at: other.vaultPath, keys: KeyFile(scratch.keyPath))
        try await fill(stranger)
        await stranger.close()
        try scratch.tamper(
            """
            ATTACH '\(other.path)/vault' AS other;
            UPDATE items SET (id, nonce, mac, body) = (SELECT id, nonce, mac, body FROM other.items o
                WHERE o.revision = items.revision);
            DELETE FROM secrets; INSERT INTO secrets SELECT * FROM other.secrets;
            """
        )
        for account in ["a", "b", "c"] { #expect(await read(vault, account) == .failure(.tampered)) }
    }

    @Test func tamperedItemIsNotOverwritten() async throws {
        let vault = try await scratch.open()
        try await fill(vault)
        try scratch.tamper(
            "UPDATE items SET mac = zeroblob(16) WHERE revision = (SELECT min(revision) FROM items)"
        )
        let before = try scratch.files()["vault"]
        #expect(
            await failure { () throws(Failure) in try await vault.put("x", service: "s", account: "a") }
                == .tampered
        )
        #expect(
            await failure { () throws(Failure) in try await vault.delete(service: "s", account: "a") }
                == .tampered
        )
        #expect(await failure { () throws(Failure) in try await vault.items() } == .tampered)
        #expect(try scratch.files()["vault"] == before)
        try await vault.put("still works", service: "s", account: "b")
    }

    @Test func flippedByteIsAnErrorOrChangesNothing() async throws {
        let vault = try await scratch.open()
        try await fill(vault)
        await vault.close()
        let good = try #require(try scratch.files()["vault"])
        var generator = SystemRandomNumberGenerator()
        var errors = 0
        for round in 0..<400 {
            var bad = good
            let index = round < 100 ? round : Int.random(in: 0..<good.count, using: &generator)
            bad[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            try scratch.write(bad, to: "vault")
            unlink(scratch.vaultPath + "-journal")
            do {
                let vault = try await scratch.open()
                for account in ["a", "b", "c"] {
                    let found = await read(vault, account)
                    #expect(
                        found == .success(Array(account.utf8)) || found == .failure(.tampered),
                        "byte \(index)"
                    )
                }
                #expect(try await vault.items().count == 3)
            } catch {
                errors += 1
            }
            #expect(try scratch.files()["vault"] == bad, "byte \(index)")
        }
        #expect(errors > 0)
    }

    @Test func shortenedFileIsLeftAsItIs() async throws {
        let vault = try await scratch.open()
        try await fill(vault)
        await vault.close()
        let good = try #require(try scratch.files()["vault"])
        for size in [0, 1, 99, 100, 511, 512, 4095, 4096, 8192, good.count - 4096, good.count - 1] {
            try scratch.write(Array(good.prefix(size)), to: "vault")
            do throws(Failure) {
                let vault = try await scratch.opened()
                #expect(size == good.count - 1, "SQLite reads the missing byte as a zero")
                let found = [await read(vault, "a"), await read(vault, "b"), await read(vault, "c")]
                #expect(found.contains(.failure(.tampered)) || good.last == 0)
            } catch {
                #expect(error == .tampered || error == .notAVault, "\(size) bytes")
            }
            #expect(try scratch.files()["vault"]?.count == size)
        }
    }
}

extension Scratch {
    func opened() async throws(CredentialVault.Error) -> CredentialVault {
        try await CredentialVault.open(at: vaultPath, keys: KeyFile(keyPath))
    }
}
