/// What a vault is, apart from its content; part of everything that is sealed in it.
struct VaultIdentity: Equatable, Sendable {
    let id: [UInt8]
    /// Counts the vault keys that the file has had.
    let epoch: Int64
}

/// The keys of an unlocked vault, one for each purpose, all derived from the vault key.
final class KeyRing: Sendable {
    let identity: VaultIdentity
    private let index: SecretBytes
    let metadata: SecretBytes
    let secret: SecretBytes
    private let manifest: SecretBytes

    init(_ vaultKey: SecretBytes, of vault: VaultIdentity) throws(VaultError) {
        identity = vault
        index = try Sodium.subkey(1, of: vaultKey)
        metadata = try Sodium.subkey(2, of: vaultKey)
        secret = try Sodium.subkey(3, of: vaultKey)
        manifest = try Sodium.subkey(4, of: vaultKey)
    }

    /// The name under which an item is found.
    ///
    /// The first field is the group, empty for all items so far.
    func tag(service: String, account: String) -> [UInt8] {
        var transcript = Transcript("lookup")
        transcript.append([])
        transcript.append(service.normalFormC)
        transcript.append(account.normalFormC)
        return Sodium.hash(transcript.bytes, key: index)
    }

    /// What a blob of an item is bound to.
    ///
    /// `purpose` is "meta" or "secret".
    func binding(_ purpose: StaticString, of row: RowName) -> [UInt8] {
        var transcript = Transcript(purpose)
        append(identity: &transcript)
        transcript.append(row.id)
        transcript.append(row.tag)
        transcript.append(row.revision)
        return transcript.bytes
    }

    /// A row's share in the manifest.
    func element(_ purpose: StaticString, id: [UInt8], revision: Int64, marks: [UInt8]...) -> [UInt8] {
        var transcript = Transcript(purpose)
        append(identity: &transcript)
        transcript.append(id)
        transcript.append(revision)
        for mark in marks { transcript.append(mark) }
        return Sodium.hash(transcript.bytes, key: manifest)
    }

    /// The authenticator of the header row.
    func mac(_ header: Manifest) -> [UInt8] {
        var transcript = Transcript("header")
        append(identity: &transcript)
        transcript.append(header.generation)
        transcript.append(header.count)
        transcript.append(header.sum.bytes)
        return Sodium.hash(transcript.bytes, key: manifest)
    }

    private func append(identity transcript: inout Transcript) {
        transcript.append(Schema.format)
        transcript.append(identity.id)
        transcript.append(identity.epoch)
    }
}

/// What tells one row of the items from every other.
struct RowName {
    let id: [UInt8]
    let tag: [UInt8]
    let revision: Int64
}
