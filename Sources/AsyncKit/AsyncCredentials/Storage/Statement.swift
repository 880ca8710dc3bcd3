import CSQLite

/// A prepared statement, kept for as long as its database.
final class Statement {
    enum Value {
        case integer(Int64)
        case blob([UInt8])
    }

    private let handle: OpaquePointer
    private let database: Database

    init(_ sql: StaticString, in database: Database) throws(VaultError) {
        var handle: OpaquePointer?
        let status = sql.withUTF8Buffer { sql in
            sql.withMemoryRebound(to: CChar.self) { sql in
                sqlite3_prepare_v3(
                    database.handle,
                    sql.baseAddress,
                    Int32(sql.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &handle,
                    nil
                )
            }
        }
        try Database.check(status)
        guard let handle else { preconditionFailure("A statement of the vault is empty.") }
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func run(_ values: Value...) throws(VaultError) {
        _ = try rows(values) { _ throws(VaultError) in }
    }

    /// Runs the statement and reads every row.
    ///
    /// It is reset before this returns: a statement that is still open would hold a lock on the file.
    func rows<Result>(
        _ values: [Value] = [],
        read: (Row) throws(VaultError) -> Result
    ) throws(VaultError) -> [Result] {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        var results: [Result] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: results.append(try read(Row(handle)))
            case SQLITE_DONE: return results
            case let status: throw VaultError(sqlite: status)
            }
        }
    }

    private func bind(_ value: Value, at index: Int32) throws(VaultError) {
        switch value {
        case .integer(let number):
            try Database.check(sqlite3_bind_int64(handle, index, number))
        case .blob(let bytes):
            try Database.check(asynckit_sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count)))
        }
    }
}

/// The row that a statement stands on; valid only there.
struct Row {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func blob(_ column: Int32) -> [UInt8] {
        let bytes = sqlite3_column_blob(handle, column)
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    /// A nonce, an authenticator and a body in three columns that follow one another.
    func sealed(_ column: Int32) -> Sealed {
        Sealed(nonce: blob(column), mac: blob(column + 1), body: blob(column + 2))
    }
}
