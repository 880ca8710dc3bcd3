/// The statements that read and write the rows of a vault, prepared once.
struct RowStatements {
    let slots: Statement
    let item: Statement
    let items: Statement
    let itemWithSecret: Statement
    let secretMark: Statement
    let itemMarks: Statement
    let secretMarks: Statement
    let insertItem: Statement
    let insertSecret: Statement
    let deleteItem: Statement
    let deleteSecret: Statement

    init(_ database: Database) throws(VaultError) {
        func prepare(_ sql: StaticString) throws(VaultError) -> Statement { try Statement(sql, in: database) }
        slots = try prepare(
            "SELECT id, kind, passes, memory, salt, commitment, nonce, mac, body FROM slots"
        )
        item = try prepare("SELECT id, tag, revision, nonce, mac, body FROM items WHERE tag = ?1")
        items = try prepare("SELECT id, tag, revision, nonce, mac, body FROM items")
        itemWithSecret = try prepare(
            """
            SELECT i.id, i.tag, i.revision, i.nonce, i.mac, i.body, s.nonce, s.mac, s.body \
            FROM items i LEFT JOIN secrets s ON s.item = i.id AND s.revision = i.revision WHERE i.tag = ?1
            """
        )
        secretMark = try prepare("SELECT mac FROM secrets WHERE item = ?1 AND revision = ?2")
        itemMarks = try prepare("SELECT id, tag, revision, mac FROM items")
        secretMarks = try prepare("SELECT item, revision, mac FROM secrets")
        insertItem = try prepare(
            "INSERT INTO items (id, tag, revision, nonce, mac, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        insertSecret = try prepare(
            "INSERT INTO secrets (item, revision, nonce, mac, body) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        deleteItem = try prepare("DELETE FROM items WHERE tag = ?1")
        deleteSecret = try prepare("DELETE FROM secrets WHERE item = ?1 AND revision = ?2")
    }
}

extension Row {
    func name() -> RowName {
        RowName(id: blob(0), tag: blob(1), revision: integer(2))
    }
}
