/// What the tables of a vault look like, and the numbers by which a file is known to be one.
///
/// All keys are random or keyed hashes, and no table but the one-row header has row ids, so the order of rows
/// on the disk says nothing about the order in which they came. A secret is found by its item and revision,
/// which leaves room for older revisions beside the current one.
enum Schema {
    /// "AKVT", the `application_id` in the header of the file.
    static let applicationID: Int64 = 0x414B_5654

    /// The format that this version reads and writes.
    static let format: Int64 = 1

    static let header: StaticString = """
        CREATE TABLE vault (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, \
        vault_id BLOB NOT NULL, epoch INTEGER NOT NULL, generation INTEGER NOT NULL, \
        count INTEGER NOT NULL, sum BLOB NOT NULL, mac BLOB NOT NULL) STRICT
        """
    static let slots: StaticString = """
        CREATE TABLE slots (id BLOB PRIMARY KEY, kind INTEGER NOT NULL, passes INTEGER NOT NULL, \
        memory INTEGER NOT NULL, salt BLOB NOT NULL, commitment BLOB NOT NULL, nonce BLOB NOT NULL, \
        mac BLOB NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID
        """
    static let items: StaticString = """
        CREATE TABLE items (tag BLOB PRIMARY KEY, id BLOB NOT NULL, revision INTEGER NOT NULL, \
        nonce BLOB NOT NULL, mac BLOB NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID
        """
    static let secrets: StaticString = """
        CREATE TABLE secrets (item BLOB, revision INTEGER, nonce BLOB NOT NULL, mac BLOB NOT NULL, \
        body BLOB NOT NULL, PRIMARY KEY (item, revision)) STRICT, WITHOUT ROWID
        """

    /// Makes the empty tables in a new database.
    static func create(in database: Database) throws(VaultError) {
        try database.run("PRAGMA page_size = 4096")
        try database.run("PRAGMA auto_vacuum = INCREMENTAL")
        try database.run("PRAGMA application_id = 0x414B5654")
        try database.run("PRAGMA user_version = 1")
        for table in [header, slots, items, secrets] { try database.run(table) }
    }

    /// Refuses a file that is not a vault, is of a newer format, or has other tables than a vault has.
    static func check(_ database: Database) throws(VaultError) {
        guard try database.integer("PRAGMA application_id") == applicationID else { throw .notAVault }
        let version = try database.integer("PRAGMA user_version")
        guard version <= format else { throw .newerFormat(version: Int(version)) }
        let found = try Statement("SELECT sql FROM sqlite_schema", in: database)
            .rows { row throws(VaultError) in row.text(0) }
        let expected = [header, slots, items, secrets].map { $0.description }
        guard version == format, found.sorted() == expected.sorted() else { throw .tampered }
    }
}
