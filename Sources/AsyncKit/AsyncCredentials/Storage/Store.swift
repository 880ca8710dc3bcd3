import AsyncPrimitives

/// The open file of a vault: its transactions and the rows that stand in them.
///
/// It is used by the vault's thread alone. Nothing here waits but the end of a transaction.
final class Store {
    let file: PrivateFile
    let identity: VaultIdentity
    private let inode: PrivateFile.Inode
    let database: Database
    private let begin: Statement
    private let beginImmediate: Statement
    private let commit: Statement
    private let rollback: Statement
    private let readHeader: Statement
    private let writeHeader: Statement
    let rows: RowStatements

    /// Opens the file; `nil` when nothing has its name.
    init?(_ file: PrivateFile) throws(VaultError) {
        guard let inode = try file.inode() else { return nil }
        try file.checkJournal()
        let database = try Database.open(file: file.path)
        guard try file.inode() == inode else { throw .replaced }
        try Schema.check(database)
        guard try database.text("PRAGMA journal_mode = TRUNCATE") == "truncate" else { throw .busy }

        self.file = file
        self.inode = inode
        self.database = database
        begin = try Statement("BEGIN", in: database)
        beginImmediate = try Statement("BEGIN IMMEDIATE", in: database)
        commit = try Statement("COMMIT", in: database)
        rollback = try Statement("ROLLBACK", in: database)
        readHeader = try Statement(
            "SELECT vault_id, epoch, generation, count, sum, mac FROM vault",
            in: database
        )
        writeHeader = try Statement(
            "UPDATE vault SET generation = ?1, count = ?2, sum = ?3, mac = ?4",
            in: database
        )
        rows = try RowStatements(database)
        identity = try Self.identity(readHeader)
    }

    private static func identity(_ header: Statement) throws(VaultError) -> VaultIdentity {
        let found = try header.rows { row throws(VaultError) in
            VaultIdentity(id: row.blob(0), epoch: row.integer(1))
        }
        guard found.count == 1, let identity = found.first else { throw .tampered }
        return identity
    }

    /// Runs the body in one consistent view of the file.
    func read<Result>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result {
        try checkInode()
        try begin.run()
        defer { database.rollback(rollback) }
        return try body()
    }

    /// Runs the body in a transaction that takes effect as a whole, or not at all when anything throws.
    ///
    /// `busy` from the first line means that somebody else is writing, and nothing has happened yet. A caller
    /// that was cancelled before the last line has nothing written.
    func write<Result>(
        with keys: KeyRing,
        until deadline: Deadline,
        _ body: (inout Manifest) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try checkInode()
        try beginImmediate.run()
        defer { database.rollback(rollback) }
        let old = try header(keys)
        var new = old
        let result = try body(&new)
        if new == old { return result }
        try write(new, keys)
        if Task.isCancelled { throw .cancelled }
        try database.commit(commit, until: deadline)
        return result
    }

    /// The header row, if it was written by somebody who has the key.
    func header(_ keys: KeyRing) throws(VaultError) -> Manifest {
        let headers = try readHeader.rows { row throws(VaultError) in
            let manifest = Manifest(
                generation: row.integer(2),
                count: row.integer(3),
                sum: Manifest.Sum(row.blob(4))
            )
            let identity = VaultIdentity(id: row.blob(0), epoch: row.integer(1))
            guard identity == keys.identity, Sodium.areEqual(row.blob(5), keys.mac(manifest)) else {
                throw .tampered
            }
            return manifest
        }
        guard headers.count == 1, let header = headers.first else { throw .tampered }
        return header
    }

    private func write(_ header: Manifest, _ keys: KeyRing) throws(VaultError) {
        try writeHeader.run(
            .integer(header.generation),
            .integer(header.count),
            .blob(header.sum.bytes),
            .blob(keys.mac(header))
        )
    }

    /// SQLite would go on with a file that has lost its name, and what it writes there would be gone.
    private func checkInode() throws(VaultError) {
        guard try file.inode() == inode else { throw .replaced }
    }
}

extension PrivateFile {
    /// The journal is replayed by SQLite on opening, so it must be the owner's as well.
    func checkJournal() throws(VaultError) {
        _ = try PrivateFile(path + "-journal", makingDirectories: false).inode()
    }
}
