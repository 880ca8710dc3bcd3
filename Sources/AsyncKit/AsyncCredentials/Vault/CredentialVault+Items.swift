import Glibc

extension CredentialVault {
    /// The largest secret, in bytes.
    public static let maximumSecretSize = 1 << 20

    /// The longest service and the longest account, in bytes of UTF-8.
    public static let maximumIdentifierSize = 4 << 10

    /// What is known about an item, without its secret.
    public struct Item: Hashable, Sendable {
        /// What the secret is for, as it was written last.
        public let service: String
        /// Whose secret it is, as it was written last; may be empty.
        public let account: String
        /// When the item was added, in seconds since 1970-01-01 00:00 UTC.
        public let created: Int64
        /// When its secret was written last, in seconds since 1970-01-01 00:00 UTC; never before `created`.
        public let modified: Int64
        /// A number that is greater after every change to the item, and never used twice in a vault.
        public let revision: Int64
    }

    /// Adds an item, or replaces the secret of the item that is there.
    ///
    /// One transaction: there never are two items of this name, and never none while one is replaced.
    /// Replacing keeps the date of creation. Cost: one synced write, about a millisecond on a good disk.
    ///
    /// - Parameters:
    ///   - secret: Any bytes, none to 1 MiB.
    ///   - service: What the secret is for; not empty, 4 KiB of UTF-8 at most.
    ///   - account: Whose it is; may be empty, 4 KiB of UTF-8 at most.
    /// - Throws: `secretTooLarge`, `identifierTooLarge`, `emptyService`, `locked`, `closed`, `busy`,
    ///   `tampered` when the item that is there was changed without the key, `diskFull`, `replaced`,
    ///   `database`, `cancelled`.
    public nonisolated func put(
        _ secret: SecretBytes,
        service: String,
        account: String
    ) async throws(Error) {
        try Self.check(service, account)
        guard secret.count <= Self.maximumSecretSize else { throw .secretTooLarge }
        try await perform { vault, deadline throws(Error) in
            let (store, keys) = try vault.unlocked()
            try store.put(
                secret,
                service: service,
                account: account,
                now: Int64(time(nil)),
                keys: keys,
                until: deadline
            )
        }
    }

    /// Adds an item, or replaces the secret of the item that is there, with the UTF-8 of a text.
    ///
    /// The text itself cannot be wiped from memory; use ``SecretBytes`` where that matters.
    ///
    /// - Parameters:
    ///   - password: Any text up to 1 MiB of UTF-8, kept as it is.
    ///   - service: As in the other form.
    ///   - account: As in the other form.
    /// - Throws: As in the other form, and `outOfMemory`.
    public nonisolated func put(
        _ password: String,
        service: String,
        account: String
    ) async throws(Error) {
        guard password.utf8.count <= Self.maximumSecretSize else { throw .secretTooLarge }
        try await put(SecretBytes(copying: password), service: service, account: account)
    }

    /// Reads the secret of an item.
    ///
    /// - Parameters:
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    /// - Returns: The secret, byte for byte as it was put, or `nil` when there is no such item.
    /// - Throws: `tampered` when the item was changed without the key, `locked`, `closed`, `emptyService`,
    ///   `identifierTooLarge`, `busy`, `replaced`, `outOfMemory`, `database`, `cancelled`.
    public nonisolated func secret(service: String, account: String) async throws(Error) -> SecretBytes? {
        try Self.check(service, account)
        return try await perform { vault, _ throws(Error) in
            let (store, keys) = try vault.unlocked()
            return try store.secret(service: service, account: account, keys: keys)
        }
    }

    /// Copies the secret of an item into a text.
    ///
    /// The copy is an ordinary `String`: it is not wiped, and may be swapped or dumped. Use
    /// ``secret(service:account:)`` where that matters.
    ///
    /// - Parameters:
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    /// - Returns: The text, or `nil` when there is no such item.
    /// - Throws: `notText` when the secret is not UTF-8, and what ``secret(service:account:)`` throws.
    public nonisolated func password(service: String, account: String) async throws(Error) -> String? {
        guard let secret = try await secret(service: service, account: account) else { return nil }
        guard let text = secret.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw .notText
        }
        return text
    }

    /// Removes an item.
    ///
    /// The freed part of the file is overwritten with zeros. Old copies on flash memory, in snapshots and in
    /// backups are out of reach.
    ///
    /// - Parameters:
    ///   - service: What the secret is for.
    ///   - account: Whose it is.
    /// - Returns: Whether there was such an item.
    /// - Throws: As ``put(_:service:account:)-(SecretBytes,_,_)``.
    @discardableResult
    public nonisolated func delete(service: String, account: String) async throws(Error) -> Bool {
        try Self.check(service, account)
        return try await perform { vault, deadline throws(Error) in
            let (store, keys) = try vault.unlocked()
            return try store.delete(service: service, account: account, keys: keys, until: deadline)
        }
    }

    /// Lists what is known about items, without reading a secret.
    ///
    /// Cost: every item of the vault is read and opened, some microseconds each.
    ///
    /// - Parameter service: Only items of this service; all items when it is `nil`.
    /// - Returns: The items, by service and then by account; empty when there are none.
    /// - Throws: `tampered` when any item was changed without the key, and what ``secret(service:account:)``
    ///   throws.
    public nonisolated func items(service: String? = nil) async throws(Error) -> [Item] {
        if let service { try Self.check(service, "") }
        let entries = try await perform { vault, _ throws(Error) in
            let (store, keys) = try vault.unlocked()
            return try store.entries(keys).map(Item.init)
        }
        let chosen = entries.filter { service == nil || $0.service == service }
        return chosen.sorted { ($0.service, $0.account) < ($1.service, $1.account) }
    }

    private static func check(_ service: String, _ account: String) throws(Error) {
        if service.isEmpty { throw .emptyService }
        guard service.utf8.count <= maximumIdentifierSize, account.utf8.count <= maximumIdentifierSize else {
            throw .identifierTooLarge
        }
    }
}

extension CredentialVault.Item {
    init(_ entry: Store.Entry) {
        service = entry.metadata.service
        account = entry.metadata.account
        created = entry.metadata.created
        modified = entry.metadata.modified
        revision = entry.row.revision
    }
}
