extension Store {
    /// The ways to open this vault.
    func slots() throws(VaultError) -> [Slot] {
        try read { () throws(VaultError) in try readSlots() }
    }

    /// Checks that the file is, row by row, what was last written with the key.
    ///
    /// Rows must come in the order of their keys: where they do not, a lookup could miss a row that is there.
    func verify(_ keys: KeyRing) throws(VaultError) {
        try read { () throws(VaultError) in
            let header = try header(keys)
            var found = Manifest(generation: header.generation)
            for slot in try readSlots() { found.add(slot.element(keys)) }
            try addItems(to: &found, keys)
            try addSecrets(to: &found, keys)
            guard found == header else { throw .tampered }
        }
    }

    private func addItems(to manifest: inout Manifest, _ keys: KeyRing) throws(VaultError) {
        var last: [UInt8] = []
        _ = try rows.itemMarks.rows { row throws(VaultError) in
            let name = row.name()
            guard last.lexicographicallyPrecedes(name.tag) else { throw .tampered }
            last = name.tag
            manifest.add(keys.itemElement(name, mac: row.blob(3)))
        }
    }

    private func addSecrets(to manifest: inout Manifest, _ keys: KeyRing) throws(VaultError) {
        var last: (item: [UInt8], revision: Int64) = ([], 0)
        _ = try rows.secretMarks.rows { row throws(VaultError) in
            let next = (item: row.blob(0), revision: row.integer(1))
            guard last.item.lexicographicallyPrecedes(next.item) || last.item == next.item,
                last.item != next.item || last.revision < next.revision
            else { throw .tampered }
            last = next
            manifest.add(keys.secretElement(item: next.item, next.revision, mac: row.blob(2)))
        }
    }

    /// A planted slot costs whoever opens the vault a derivation, so there are few at most.
    private func readSlots() throws(VaultError) -> [Slot] {
        let slots = try rows.slots.rows { row throws(VaultError) in
            Slot(
                id: row.blob(0),
                kind: row.integer(1),
                passes: row.integer(2),
                memory: row.integer(3),
                salt: row.blob(4),
                commitment: row.blob(5),
                wrapped: row.sealed(6)
            )
        }
        guard slots.count <= Slot.maximumCount else { throw .tampered }
        return slots
    }
}
