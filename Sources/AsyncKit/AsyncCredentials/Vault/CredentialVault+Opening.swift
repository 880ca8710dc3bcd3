extension CredentialVault {
    /// Unlocks a vault that was locked.
    ///
    /// - Parameter keys: Where the key comes from; the sources are asked in order until one opens the vault.
    /// - Throws: `wrongKey` or `noKey`, `tampered`, `closed`, `busy`, `cancelled`, and what a key source
    ///   throws.
    public nonisolated func unlock(keys: any KeySource...) async throws(Error) {
        try await unlock(keys: keys)
    }

    /// Unlocks a vault that was locked; the form for a list of key sources.
    ///
    /// - Parameter keys: As in the other form.
    /// - Throws: As in the other form.
    public nonisolated func unlock(keys: [any KeySource]) async throws(Error) {
        let (slots, identity) = try await perform { vault, _ throws(Error) in
            let store = try vault.openStore()
            return (try store.slots(), store.identity)
        }
        let vaultKey = try await Self.open(slots, with: keys, of: identity)
        let ring = try KeyRing(vaultKey, of: identity)
        try await perform { vault, _ throws(Error) in try vault.admit(ring) }
    }

    /// Opens the file, or makes it first.
    nonisolated func start(_ keys: [any KeySource]) async throws(Error) {
        guard (1...Slot.maximumCount).contains(keys.count) else { throw .noKey }
        if try await perform({ vault, _ throws(Error) in try vault.attach() }) {
            return try await unlock(keys: keys)
        }
        let identity = VaultIdentity(id: Sodium.random(Sodium.identifierSize), epoch: 1)
        let vaultKey = try SecretBytes(capacity: Sodium.keySize) { memory throws(Error) in
            Sodium.fill(memory)
            return memory.count
        }
        let slots = try await Self.slots(for: vaultKey, keys, of: identity)
        let ring = try KeyRing(vaultKey, of: identity)
        let isOurs = try await perform { vault, _ throws(Error) in
            try vault.create(slots, ring)
            guard try vault.attach() else { throw .replaced }
            return try vault.openStore().identity == identity
        }
        if isOurs {
            try await perform { vault, _ throws(Error) in try vault.admit(ring) }
        } else {
            try await unlock(keys: keys)
        }
    }

    /// One slot for each source that has a key.
    private static func slots(
        for vaultKey: SecretBytes,
        _ sources: [any KeySource],
        of identity: VaultIdentity
    ) async throws(Error) -> [Slot] {
        var slots: [Slot] = []
        for source in sources {
            guard let key = try await key(of: source, forNewVault: true) else { continue }
            slots.append(try await Slot(wrapping: vaultKey, for: key, of: identity))
        }
        if slots.isEmpty { throw .noKey }
        return slots
    }

    /// The vault key, from the first source and slot that fit each other.
    private static func open(
        _ slots: [Slot],
        with sources: [any KeySource],
        of identity: VaultIdentity
    ) async throws(Error) -> SecretBytes {
        var failure = Error.noKey
        for source in sources {
            guard let key = try await key(of: source, forNewVault: false) else { continue }
            failure = .wrongKey
            for slot in slots {
                do {
                    if let vaultKey = try await slot.open(with: key, of: identity) { return vaultKey }
                } catch .wrongKey, .tampered {
                    continue
                }
            }
        }
        throw failure
    }

    private static func key(of source: any KeySource, forNewVault: Bool) async throws(Error) -> VaultKey? {
        do {
            return try await source.key(forNewVault: forNewVault)
        } catch .noKey {
            return nil
        }
    }
}
