/// One way to open a vault: the vault key, wrapped by a key that a key source gives.
///
/// The header (kind, cost, salt) is bound to both the commitment and the wrapped key. The commitment is
/// checked first: XChaCha20-Poly1305 does not commit to its key, so without it one planted slot could be made
/// to answer to many passphrases at once.
struct Slot: Sendable {
    enum Kind: Int64 {
        case raw = 1
        case passphrase = 2
    }

    static let maximumCount = 16

    let id: [UInt8]
    let kind: Int64
    let passes: Int64
    let memory: Int64
    let salt: [UInt8]
    let commitment: [UInt8]
    let wrapped: Sealed

    init(
        id: [UInt8],
        kind: Int64,
        passes: Int64,
        memory: Int64,
        salt: [UInt8],
        commitment: [UInt8],
        wrapped: Sealed
    ) {
        self.id = id
        self.kind = kind
        self.passes = passes
        self.memory = memory
        self.salt = salt
        self.commitment = commitment
        self.wrapped = wrapped
    }

    /// Wraps the vault key for a key of a source.
    init(
        wrapping vaultKey: SecretBytes,
        for key: VaultKey,
        of vault: VaultIdentity
    ) async throws(VaultError) {
        id = Sodium.random(Sodium.identifierSize)
        kind = key.kind.rawValue
        passes = Int64(key.cost?.passes ?? 0)
        memory = Int64(key.cost?.memory ?? 0)
        salt = Sodium.random(Sodium.identifierSize)
        let wrapping = try await key.derive(salt: salt, cost: key.cost)
        let header = Self.header(id, kind, passes, memory, salt, vault)
        commitment = Sodium.hash(header, key: try Sodium.subkey(2, of: wrapping))
        wrapped = Sealed(sealing: vaultKey, key: try Sodium.subkey(1, of: wrapping), bound: header)
    }

    /// The vault key, if this slot was made for this key; `nil` if it is of another kind.
    func open(with key: VaultKey, of vault: VaultIdentity) async throws(VaultError) -> SecretBytes? {
        guard kind == key.kind.rawValue else { return nil }
        guard salt.count == Sodium.identifierSize, wrapped.body.count == Sodium.keySize else {
            throw .wrongKey
        }
        let wrapping = try await key.derive(salt: salt, cost: cost)
        let header = Self.header(id, kind, passes, memory, salt, vault)
        let expected = Sodium.hash(header, key: try Sodium.subkey(2, of: wrapping))
        guard Sodium.areEqual(expected, commitment) else { throw .wrongKey }
        let unwrapping = try Sodium.subkey(1, of: wrapping)
        return try SecretBytes(capacity: Sodium.keySize) { memory throws(VaultError) in
            try wrapped.open(into: memory, key: unwrapping, bound: header)
            return memory.count
        }
    }

    /// A row's share in the manifest.
    func element(_ keys: KeyRing) -> [UInt8] {
        keys.element("slot", id: id, revision: 0, marks: commitment, wrapped.mac)
    }

    private var cost: Passphrase.Cost? {
        get throws(VaultError) {
            guard kind == Kind.passphrase.rawValue else { return nil }
            guard let memory = Int(exactly: memory), let passes = Int(exactly: passes) else {
                throw .passphraseCost
            }
            return try Passphrase.Cost(memory: memory, passes: passes)
        }
    }

    private static func header(
        _ id: [UInt8],
        _ kind: Int64,
        _ passes: Int64,
        _ memory: Int64,
        _ salt: [UInt8],
        _ vault: VaultIdentity
    ) -> [UInt8] {
        var transcript = Transcript("slot")
        transcript.append(Schema.format)
        transcript.append(vault.id)
        transcript.append(vault.epoch)
        transcript.append(id)
        for number in [kind, passes, memory] { transcript.append(number) }
        transcript.append(salt)
        return transcript.bytes
    }
}
