extension Store {
    /// The bytes of the file of a new vault: the header and the slots, no items.
    ///
    /// The file is put in place in one step, so that a crash never leaves half a vault behind.
    static func newFile(slots: [Slot], keys: KeyRing) throws(VaultError) -> [UInt8] {
        let database = try Database.inMemory()
        try Schema.create(in: database)
        let insertSlot = try Statement(
            """
            INSERT INTO slots (id, kind, passes, memory, salt, commitment, nonce, mac, body) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            in: database
        )
        var manifest = Manifest(generation: 1)
        for slot in slots {
            try insertSlot.run(
                .blob(slot.id),
                .integer(slot.kind),
                .integer(slot.passes),
                .integer(slot.memory),
                .blob(slot.salt),
                .blob(slot.commitment),
                .blob(slot.wrapped.nonce),
                .blob(slot.wrapped.mac),
                .blob(slot.wrapped.body)
            )
            manifest.add(slot.element(keys))
        }
        let insertHeader = try Statement(
            """
            INSERT INTO vault (id, format, vault_id, epoch, generation, count, sum, mac) \
            VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            in: database
        )
        try insertHeader.run(
            .integer(Schema.format),
            .blob(keys.identity.id),
            .integer(keys.identity.epoch),
            .integer(manifest.generation),
            .integer(manifest.count),
            .blob(manifest.sum.bytes),
            .blob(keys.mac(manifest))
        )
        return try database.serialized()
    }
}
