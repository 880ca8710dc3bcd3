import AsyncPrimitives

extension Store {
    /// An item as it stands in the file, opened and checked.
    struct Entry {
        let row: RowName
        let mac: [UInt8]
        let metadata: Metadata
    }

    /// Adds or replaces an item.
    ///
    /// Replacing keeps its identifier and its date of creation.
    func put(
        _ secret: SecretBytes,
        service: String,
        account: String,
        now: Int64,
        keys: KeyRing,
        until deadline: Deadline
    ) throws(VaultError) {
        let tag = keys.tag(service: service, account: account)
        try write(with: keys, until: deadline) { manifest throws(VaultError) in
            let old = try entry(tag, keys)
            manifest.generation += 1
            if let old { try removeRows(of: old, keys, &manifest) }
            var metadata = old?.metadata ?? Metadata(service: "", account: "", created: now, modified: now)
            metadata.service = service
            metadata.account = account
            metadata.modified = max(now, metadata.modified)
            let id = old?.row.id ?? Sodium.random(Sodium.identifierSize)
            let row = RowName(id: id, tag: tag, revision: manifest.generation)
            try insert(row, metadata, secret, keys, &manifest)
        }
    }

    /// Removes an item; false when there is none.
    func delete(
        service: String,
        account: String,
        keys: KeyRing,
        until deadline: Deadline
    ) throws(VaultError) -> Bool {
        let tag = keys.tag(service: service, account: account)
        return try write(with: keys, until: deadline) { manifest throws(VaultError) in
            guard let old = try entry(tag, keys) else { return false }
            manifest.generation += 1
            try removeRows(of: old, keys, &manifest)
            return true
        }
    }

    func secret(service: String, account: String, keys: KeyRing) throws(VaultError) -> SecretBytes? {
        let tag = keys.tag(service: service, account: account)
        return try read { () throws(VaultError) in
            try rows.itemWithSecret.rows([.blob(tag)]) { row throws(VaultError) in
                let entry = try open(row, keys)
                try check(entry, service, account)
                return try row.sealed(6).open(key: keys.secret, bound: keys.binding("secret", of: entry.row))
            }.first
        }
    }

    /// All items, without their secrets, in no order.
    func entries(_ keys: KeyRing) throws(VaultError) -> [Entry] {
        try read { () throws(VaultError) in
            try rows.items.rows { row throws(VaultError) in try open(row, keys) }
        }
    }

    private func entry(_ tag: [UInt8], _ keys: KeyRing) throws(VaultError) -> Entry? {
        try rows.item.rows([.blob(tag)]) { row throws(VaultError) in try open(row, keys) }.first
    }

    /// The tag is bound to the row, but only the names themselves say that the tag was made for them.
    private func check(_ entry: Entry, _ service: String, _ account: String) throws(VaultError) {
        guard entry.metadata.service == service, entry.metadata.account == account else { throw .tampered }
    }

    private func open(_ row: Row, _ keys: KeyRing) throws(VaultError) -> Entry {
        let name = row.name()
        let sealed = row.sealed(3)
        let metadata = try sealed.withOpened(key: keys.metadata, bound: keys.binding("meta", of: name)) {
            blob throws(VaultError) in
            try Metadata(blob)
        }
        return Entry(row: name, mac: sealed.mac, metadata: metadata)
    }

    private func insert(
        _ row: RowName,
        _ metadata: Metadata,
        _ secret: SecretBytes,
        _ keys: KeyRing,
        _ manifest: inout Manifest
    ) throws(VaultError) {
        let meta = try metadata.blob.withRawBytes { blob throws(VaultError) in
            try Sealed(padding: blob, key: keys.metadata, bound: keys.binding("meta", of: row))
        }
        let body = try secret.withUnsafeBytes { bytes throws(VaultError) in
            try Sealed(padding: bytes, key: keys.secret, bound: keys.binding("secret", of: row))
        }
        try rows.insertItem.run(
            .blob(row.id),
            .blob(row.tag),
            .integer(row.revision),
            .blob(meta.nonce),
            .blob(meta.mac),
            .blob(meta.body)
        )
        try rows.insertSecret.run(
            .blob(row.id),
            .integer(row.revision),
            .blob(body.nonce),
            .blob(body.mac),
            .blob(body.body)
        )
        manifest.add(keys.itemElement(row, mac: meta.mac))
        manifest.add(keys.secretElement(item: row.id, row.revision, mac: body.mac))
    }

    private func removeRows(
        of entry: Entry,
        _ keys: KeyRing,
        _ manifest: inout Manifest
    ) throws(VaultError) {
        let key: [Statement.Value] = [.blob(entry.row.id), .integer(entry.row.revision)]
        let marks = try rows.secretMark.rows(key) { row throws(VaultError) in row.blob(0) }
        guard let mac = marks.first else { throw .tampered }
        try rows.deleteSecret.run(key[0], key[1])
        try rows.deleteItem.run(.blob(entry.row.tag))
        manifest.remove(keys.itemElement(entry.row, mac: entry.mac))
        manifest.remove(keys.secretElement(item: entry.row.id, entry.row.revision, mac: mac))
    }
}

extension KeyRing {
    func itemElement(_ row: RowName, mac: [UInt8]) -> [UInt8] {
        element("item", id: row.id, revision: row.revision, marks: row.tag, mac)
    }

    func secretElement(item: [UInt8], _ revision: Int64, mac: [UInt8]) -> [UInt8] {
        element("secret", id: item, revision: revision, marks: mac)
    }
}
