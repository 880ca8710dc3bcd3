import AsyncCredentials
import AsyncPrimitives
import CSQLite
import Foundation
import Support
import Testing

/// A directory of one test, removed with the last reference.
final class Scratch: Sendable {
    let path: String

    init() {
        guard let path = try? makeTemporaryDirectory(for: "vault") else {
            fatalError("No directory can be made in /tmp.")
        }
        self.path = path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var vaultPath: String { "\(path)/vault" }
    var keyPath: String { "\(path)/key" }

    func open(timeout: Duration = .seconds(20)) async throws -> CredentialVault {
        try await CredentialVault.open(at: vaultPath, keys: KeyFile(keyPath), timeout: timeout)
    }

    /// Runs SQL on the file of the vault, as somebody without the key would.
    func tamper(_ sql: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        try #require(sqlite3_open_v2(vaultPath, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        try #require(
            sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(handle)))"
        )
    }

    /// The first column of a query, as texts.
    func column(_ sql: String) throws -> [String] {
        var handle: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(handle)
        }
        try #require(sqlite3_open_v2(vaultPath, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            texts.append(String(cString: sqlite3_column_text(statement, 0)))
        }
        return texts
    }

    /// The bytes of all files in the directory, by name.
    func files() throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return try names.reduce(into: [:]) { files, name in
            files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
        }
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        chmod("\(path)/\(name)", 0o600)
    }
}

/// A connection of somebody else who holds a lock on the file of a vault.
final class Rival: @unchecked Sendable {
    // Used by one test, one step after the other.
    private var handle: OpaquePointer?

    init(_ scratch: Scratch, _ sql: String) throws {
        try #require(sqlite3_open_v2(scratch.vaultPath, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        // A vault that waits for us looks at the file again and again, which holds up a commit for a moment.
        sqlite3_busy_timeout(handle, 5000)
        try run(sql)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func run(_ sql: String) throws {
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }
}

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: bytes)
}

extension SecretBytes {
    var array: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension [UInt8] {
    func contains(run: [UInt8]) -> Bool {
        guard let first = run.first, count >= run.count else { return false }
        return indices.dropLast(run.count - 1).contains {
            self[$0] == first && self[$0..<$0 + run.count].elementsEqual(run)
        }
    }
}

/// What the call throws; a failed expectation when it throws nothing.
func failure<Success>(
    of call: () async throws(CredentialVault.Error) -> Success,
    at location: SourceLocation = #_sourceLocation
) async -> CredentialVault.Error? {
    do {
        _ = try await call()
        Issue.record("The call should have thrown.", sourceLocation: location)
        return nil
    } catch {
        return error
    }
}
