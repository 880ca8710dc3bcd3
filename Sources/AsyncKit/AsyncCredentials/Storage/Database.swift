import AsyncPrimitives
import CSQLite
import Glibc

/// One SQLite connection.
///
/// It is used by one thread at a time.
final class Database {
    let handle: OpaquePointer

    /// A padded secret of the largest size and its row fit; what is larger was not written by a vault.
    private static let largestRow: Int32 = 2 << 20

    private init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Opens a file that exists, by a path without symbolic links.
    static func open(file path: String) throws(VaultError) -> Database {
        let database = try connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW)
        sqlite3_limit(database.handle, SQLITE_LIMIT_LENGTH, largestRow)
        try database.run("PRAGMA cell_size_check = ON")
        try database.run("PRAGMA mmap_size = 0")
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA secure_delete = ON")
        try database.run("PRAGMA synchronous = FULL")
        return database
    }

    static func inMemory() throws(VaultError) -> Database {
        try connect(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
    }

    private static func connect(_ path: String, _ flags: Int32) throws(VaultError) -> Database {
        var handle: OpaquePointer?
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        let status = sqlite3_open_v2(path, &handle, flags | common, nil)
        guard let handle else { throw .outOfMemory }
        let database = Database(handle)
        try check(status)
        try check(asynckit_sqlite3_distrust(handle))
        return database
    }

    /// Runs one statement without results.
    func run(_ sql: StaticString) throws(VaultError) {
        _ = try Statement(sql, in: self).rows { _ throws(VaultError) in }
    }

    /// The first column of the first row, a number.
    func integer(_ sql: StaticString) throws(VaultError) -> Int64 {
        try Statement(sql, in: self).rows { row throws(VaultError) in row.integer(0) }.first ?? 0
    }

    /// The first column of the first row, a text.
    func text(_ sql: StaticString) throws(VaultError) -> String {
        try Statement(sql, in: self).rows { row throws(VaultError) in row.text(0) }.first ?? ""
    }

    /// Ends the transaction.
    ///
    /// Readers in other processes may hold it up, so it is repeated until the deadline.
    ///
    /// It blocks the vault's own thread: giving the thread to another call now would let that call into the
    /// transaction. New readers are kept out meanwhile, and those inside need microseconds.
    func commit(_ statement: Statement, until deadline: Deadline) throws(VaultError) {
        while true {
            do {
                return try statement.run()
            } catch .busy where !deadline.hasPassed && !Task.isCancelled {
                usleep(200)
            }
        }
    }

    /// Takes everything back that was not committed.
    ///
    /// After an error SQLite may have done so by itself.
    func rollback(_ statement: Statement) {
        if sqlite3_get_autocommit(handle) == 0 { try? statement.run() }
    }

    /// The bytes that a file with the content of this database has.
    func serialized() throws(VaultError) -> [UInt8] {
        var size: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else { throw .outOfMemory }
        defer { sqlite3_free(bytes) }
        return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    static func check(_ status: Int32) throws(VaultError) {
        if status != SQLITE_OK { throw VaultError(sqlite: status) }
    }
}

extension CredentialVault.Error {
    init(sqlite code: Int32) {
        self =
            switch (code, code & 0xFF) {
            case (asynckit_sqlite3_readonly_dbmoved, _): .replaced
            case (asynckit_sqlite3_cantopen_symlink, _): .refused(.symbolicLink)
            case (_, SQLITE_BUSY): .busy
            case (_, SQLITE_CORRUPT), (_, SQLITE_TOOBIG): .tampered
            case (_, SQLITE_NOTADB): .notAVault
            case (_, SQLITE_FULL): .diskFull
            case (_, SQLITE_NOMEM): .outOfMemory
            default: .database(code: code)
            }
    }
}
